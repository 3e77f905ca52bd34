import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { SIGNED_IN_TARGET } from '../../../shared/guards.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { passwordFault } from '../../../shared/password-rules.ts'
import { counted } from '../../../shared/romanian.ts'
import { BlankLayout } from '../../layouts/blank-layout.tsx'
import { signIn } from '../../session/session.ts'
import { site } from '../../session/site.ts'
import { buttonClass } from '../../ui/button-look.ts'
import { NativeButton } from '../../ui/native-button.tsx'
import { NativePasswordField } from '../../ui/native-password-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { HelpContacts } from './help-contacts.tsx'
import { explainPasswordFault, explainSignInError, explainSignInFault } from './sign-in-words.ts'

/** Whoever holds an invitation's or a reset's link chooses the password with it, once. */
export function AccountLinkScreen() {
  const { token } = useParams({ from: '/cont/$token' })
  const [isVoid, setVoid] = useState(false)
  return (
    <BlankLayout
      brand={site}
      title={isVoid ? 'Linkul nu mai este valabil' : 'Alege parola'}
      footer={<HelpContacts />}
    >
      {isVoid ? <VoidLink /> : <PasswordForm token={token} onVoid={() => setVoid(true)} />}
    </BlankLayout>
  )
}

function VoidLink() {
  return (
    <div className="grid gap-5">
      <div role="alert" className="grid gap-2 text-muted">
        <p>Linkul a fost folosit deja, a expirat sau a fost înlocuit de unul mai nou.</p>
        <p>Dacă ai ales deja parola, autentifică-te cu ea. Dacă nu, cere-i administratorului un link nou.</p>
      </div>
      <Link to="/" className={buttonClass({ variant: 'primary', size: 'lg' })}>
        Mergi la autentificare
      </Link>
    </div>
  )
}

function PasswordForm({ token, onVoid }: { token: string; onVoid: () => void }) {
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const [password, setPassword] = useState('')
  const [isPending, setPending] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)

  const refuse = (code: string) => {
    setFault(explainPasswordFault(code))
    field.current?.focus()
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending) return
    setFailure(null)
    const own = passwordFault(password)
    if (own) return refuse(own)
    setPending(true)
    try {
      const refusal = await signIn('link', { token, password })
      if (!refusal) return await navigate({ href: SIGNED_IN_TARGET, replace: true })
      if (refusal.code === 'link') return onVoid()
      if (refusal.code?.startsWith('password-')) refuse(refusal.code)
      else setFailure(explainSignInError(refusal.error).text)
    } catch (thrown) {
      setFailure(explainSignInFault(thrown))
    }
    setPending(false)
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      {failure && (
        <Notice tone="danger" isLive>
          {failure}
        </Notice>
      )}
      <NativePasswordField
        ref={field}
        name="password"
        label="Parola nouă"
        autoComplete="new-password"
        // The page is for nothing else.
        autoFocus
        value={password}
        onChange={(event) => {
          setPassword(event.target.value)
          setFault(null)
        }}
        help={<LengthHint length={[...password.normalize('NFKC')].length} />}
        error={fault}
      />
      <NativeButton type="submit" variant="primary" size="lg" isPending={isPending}>
        Salvează parola
      </NativeButton>
    </form>
  )
}

/** How far it still is; no character is demanded or forbidden. */
function LengthHint({ length }: { length: number }) {
  const left = LIMITS.passwordMin - length
  return (
    <>
      Cel puțin {counted(LIMITS.passwordMin, 'caracter', 'caractere')}; patru-cinci cuvinte la întâmplare sunt
      o parolă bună.{' '}
      {length > 0 && (
        <span className="text-ink">{left > 0 ? `Mai trebuie ${left}.` : 'Lungimea ajunge.'}</span>
      )}
    </>
  )
}
