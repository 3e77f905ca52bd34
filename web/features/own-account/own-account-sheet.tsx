import { useQuery } from '@apollo/client/react'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { passwordMin } from '../../../shared/password-rules.ts'
import { errorMessage } from '../../api/client-error.ts'
import { useUser } from '../../session/use-session.ts'
import { Skeleton } from '../../ui/base/loading.tsx'
import { useStepFocus } from '../../ui/hooks/use-step-focus.ts'
import { SideSheet } from '../../ui/overlays/dialog.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { ChangePassword } from './change-password.tsx'
import { NewRecoveryCodes } from './new-recovery-codes.tsx'
import { OWN_ACCOUNT } from './own-account.queries.ts'
import { OwnDeliveries } from './own-deliveries.tsx'
import { OwnNotifications } from './own-notifications.tsx'
import { OwnPasskeys } from './own-passkeys.tsx'
import { OwnSecondFactor } from './own-second-factor.tsx'
import { OwnSessions } from './own-sessions.tsx'

/** The settings of the user's own account: password, second factor, what the bell counts, sessions; for users of institutions also their mail. */
export function OwnAccountSheet({ onClose }: { onClose: () => void }) {
  // Of the whole sheet, not of a section: they are shown only once, so nothing else may replace or close them.
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const isLocked = codes !== null
  const { role, features } = useUser()
  const getsResults = role === 'institution' && features.includes('patient::files')
  const container = useStepFocus(codes)
  const { data, error, refetch } = useQuery(OWN_ACCOUNT, { fetchPolicy: 'cache-and-network' })
  useBlocker({
    // After the session has ended the page is left in any case.
    shouldBlockFn: ({ next }) => isLocked && next.pathname !== '/signout',
    enableBeforeUnload: isLocked,
  })
  const sections = () =>
    error && !data ? (
      <ErrorState onRetry={() => void refetch()}>{errorMessage(error)}</ErrorState>
    ) : data ? (
      <div className="grid gap-8">
        <Section title="Parolă">
          <ChangePassword passwordMin={passwordMin(data.mySecurity.hasAuthenticator)} />
        </Section>
        <Section title="Al doilea factor">
          <OwnSecondFactor security={data.mySecurity} onCodes={setCodes} />
        </Section>
        <Section title="Chei de acces">
          <OwnPasskeys security={data.mySecurity} onCodes={setCodes} />
        </Section>
        {getsResults && (
          <Section title="Mesaje despre rezultate">
            <OwnDeliveries />
          </Section>
        )}
        <Section title="Ce apare la clopoțel">
          <OwnNotifications />
        </Section>
        <Section title="Sesiuni">
          <OwnSessions sessions={data.mySessions} />
        </Section>
      </div>
    ) : (
      <div className="grid gap-3">
        <Skeleton className="h-10 w-40" />
        <Skeleton className="h-24" />
        <Skeleton className="h-40" />
      </div>
    )
  return (
    <SideSheet isOpen onOpenChange={onClose} closesOnlyByActions={isLocked} title="Setările contului">
      <div ref={container} tabIndex={-1} className="outline-none">
        {codes && <NewRecoveryCodes codes={codes} onKept={() => setCodes(null)} />}
        {/* What is typed in another section stays. */}
        <div hidden={isLocked}>{sections()}</div>
      </div>
    </SideSheet>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-3">
      <h3 className="font-semibold">{title}</h3>
      {children}
    </section>
  )
}
