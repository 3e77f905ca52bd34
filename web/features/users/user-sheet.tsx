import { useQuery } from '@apollo/client/react'
import { type ReactNode, useState } from 'react'
import { ROLE_NAMES } from '../../../shared/access/roles.ts'
import { formatPhone } from '../../../shared/romania/phone.ts'
import { formatDate, formatDateTime } from '../../../shared/romania/romanian.ts'
import { errorCode, errorMessage } from '../../api/client-error.ts'
import { useUser } from '../../session/use-session.ts'
import { Button } from '../../ui/base/button.tsx'
import { ExternalLink } from '../../ui/base/link.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { SideSheet } from '../../ui/overlays/dialog.tsx'
import { type Description, DescriptionList } from '../../ui/page/description-list.tsx'
import { EmptyState, ErrorState } from '../../ui/page/empty-state.tsx'
import { describeFeatures, institutionNames } from './account-labels.ts'
import { AccountStatus } from './account-status.tsx'
import { USER, type UserDetails } from './accounts.queries.ts'
import { EditUserSheet } from './edit-user-sheet.tsx'
import { EmailAddress } from './email-address.tsx'
import { UserAccess } from './user-access.tsx'
import { UserSecondFactor } from './user-second-factor.tsx'
import { UserSessions } from './user-sessions.tsx'

export interface UserSheetProps {
  userId: string
  onClose: () => void
  /** Called when the account has changed, so that the page behind must be updated. */
  onChange: () => void
}

/** An account, for an administrator: details, rights and all ways to sign in. Mounted while it is open. */
export function UserSheet({ userId, onClose, onChange }: UserSheetProps) {
  const [isEditing, setEditing] = useState(false)
  const { data, error, refetch } = useQuery(USER, {
    variables: { id: userId },
    fetchPolicy: 'cache-and-network',
  })
  const user = data?.user
  const reload = () => {
    onChange()
    void refetch().catch(() => undefined)
  }

  if (user && isEditing) {
    return (
      <EditUserSheet
        user={user}
        onClose={() => setEditing(false)}
        onSaved={({ name }) => {
          setEditing(false)
          onChange()
          showToast({ tone: 'success', title: `Contul „${name}” a fost salvat` })
        }}
      />
    )
  }
  return (
    <SideSheet isOpen onOpenChange={onClose} title={user?.name ?? 'Cont'}>
      {user ? (
        <Account user={user} onEdit={() => setEditing(true)} onChange={reload} onDeleted={onClose} />
      ) : error ? (
        errorCode(error) === 'NOT_FOUND' ? (
          <EmptyState icon="user-x" title="Contul nu mai există">
            Invitația a fost anulată sau adresa este greșită.
          </EmptyState>
        ) : (
          <ErrorState onRetry={() => void refetch()}>{errorMessage(error)}</ErrorState>
        )
      ) : (
        <div role="status" aria-label="Se încarcă" className="grid gap-4">
          <Skeleton className="h-6 w-40" />
          <Skeleton className="h-48" />
          <Skeleton className="h-24" />
        </div>
      )}
    </SideSheet>
  )
}

function Account({
  user,
  onEdit,
  onChange,
  onDeleted,
}: {
  user: UserDetails
  onEdit: () => void
  onChange: () => void
  onDeleted: () => void
}) {
  const isOwn = useUser().id === user.id
  return (
    <div className="grid gap-8">
      <div className="grid gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <span className="flex flex-wrap items-center gap-2">
            <AccountStatus user={user} />
            <span className="text-sm text-muted">{ROLE_NAMES[user.role]}</span>
          </span>
          <Button icon="pencil" onPress={onEdit}>
            Editează
          </Button>
        </div>
        <DescriptionList items={listUserDetails(user)} />
      </div>
      <Section title="Acces">
        {isOwn ? (
          <p className="text-sm text-muted">
            Este contul tău. Pe acesta îl poate suspenda doar alt administrator: așa rămâne mereu cineva care
            poate administra. Parola, al doilea factor și sesiunile tale sunt la „Setările contului”, în
            meniul contului.
          </p>
        ) : (
          <UserAccess user={user} onChange={onChange} onDeleted={onDeleted} />
        )}
      </Section>
      {!isOwn && user.status !== 'invited' && (
        <>
          <Section title="Al doilea factor">
            <UserSecondFactor user={user} onChange={onChange} />
          </Section>
          <Section title="Sesiuni">
            {/* A change of the account may have ended sessions, so the list is loaded again. */}
            <UserSessions key={`${user.status} ${user.version}`} userId={user.id} />
          </Section>
        </>
      )}
    </div>
  )
}

const listUserDetails = ({ role, ...user }: UserDetails): Description[] => [
  {
    label: 'E-mail',
    value: (
      <ExternalLink href={`mailto:${user.email}`}>
        <EmailAddress email={user.email} />
      </ExternalLink>
    ),
    isWide: true,
  },
  { label: 'Funcția', value: user.jobTitle },
  {
    label: 'Telefon',
    value: user.phone && <ExternalLink href={`tel:${user.phone}`}>{formatPhone(user.phone)}</ExternalLink>,
  },
  ...(role === 'institution'
    ? [{ label: 'Instituții', value: institutionNames(user.institutions), isWide: true }]
    : [{ label: 'Drepturi', value: describeFeatures(role, user.features) || 'niciunul', isWide: true }]),
  {
    label: 'Ultima autentificare',
    value: user.lastSignInAt ? formatDateTime(user.lastSignInAt) : 'niciodată',
  },
  { label: 'Cont creat', value: formatDate(user.createdAt) },
]

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid justify-items-stretch gap-3">
      <h3 className="font-semibold">{title}</h3>
      {children}
    </section>
  )
}
