import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { BlankLayout } from '../../layouts/blank-layout.tsx'
import { getLeftPath } from '../../session/session.ts'
import { signInAddress } from '../../session/sign-in-address.ts'
import { useSession, useSessionEnd } from '../../session/use-session.ts'
import { useSite } from '../../session/use-site.ts'
import { buttonClass } from '../../ui/base/button-styles.ts'
import { HelpContacts } from './help-contacts.tsx'
import { brandOf } from './organisation.ts'
import { explainSessionEnd } from './session-end-sentences.ts'

/** The screen after signing out, also when the server ended the session [2.2]. */
export function SignedOutScreen() {
  const site = useSite()
  const { user } = useSession()
  const end = useSessionEnd()
  const navigate = useNavigate()
  const isIdle = !user && end === 'idle'
  // The user goes on where the session ended.
  useEffect(() => {
    if (isIdle) void navigate({ href: signInAddress(getLeftPath(), 'SessionIdle'), replace: true })
  }, [isIdle, navigate])
  return (
    <BlankLayout
      brand={brandOf(site)}
      title={user ? 'Sesiune deschisă' : 'Sesiune încheiată'}
      footer={<HelpContacts />}
    >
      <div className="grid gap-5">
        <p className="text-muted">
          {user ? `Sesiunea deschisă este a contului ${user.name}.` : explainSessionEnd(end)}
        </p>
        <Link to="/" className={buttonClass({ variant: 'primary', size: 'lg' })}>
          {user ? 'Continuă' : 'Autentifică-te din nou'}
        </Link>
      </div>
    </BlankLayout>
  )
}
