import { type FormEvent, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { connectedFetch } from '../../session/connection.ts'
import { signIn } from '../../session/session.ts'
import { lazyNamed } from '../../ui/base/lazy.ts'
import { FailureNotice } from '../../ui/feedback/notice.tsx'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import { PlainField } from '../../ui/plain/plain-field.tsx'
import { explainPasskeyError } from '../own-account/passkey-errors.ts'
import { explainSecondFactorError } from './second-factor-errors.ts'
import { explainSignInFailure } from './sign-in-errors.ts'
import { required, usePlainForm } from './use-plain-form.ts'

// Needed only to enable the second factor, so loaded on demand.
const SecondFactorKey = lazyNamed(() => import('../own-account/second-factor-key.tsx'), 'SecondFactorKey')
const SetupCodes = lazyNamed(() => import('./setup-codes.tsx'), 'SetupCodes')

/** What the server requires after the right password. */
type Pending =
  | { state: 'none' }
  | { state: 'verify'; hasAuthenticator: boolean; hasPasskey: boolean }
  | { state: 'setup'; secret: string; uri: string }

async function fetchPending(): Promise<Pending> {
  const response = await connectedFetch('/api/auth/second-factor')
  if (!response.ok) throw new Error(`second-factor: status ${response.status}`)
  return (await response.json()) as Pending
}

export interface SecondFactorStepProps {
  /** Called when the user is signed in. */
  onDone: () => void
  /** Called to return to the password, with the reason if the user did not choose it. */
  onRestart: (reason: string | null) => void
}

/** The step after the password: the code of the second factor, or its setup if the role requires one. */
export function SecondFactorStep({ onDone, onRestart }: SecondFactorStepProps) {
  const [pending, setPending] = useState<Pending | null>(null)
  const [isSetUp, setSetUp] = useState(false)
  const restart = useRef(onRestart)
  restart.current = onRestart

  useEffect(() => {
    fetchPending().then(
      (found) => (found.state === 'none' ? restart.current(EXPIRED_MESSAGE) : setPending(found)),
      (error: unknown) => restart.current(explainSignInFailure(error)),
    )
  }, [])

  if (isSetUp) return <SetupCodes onDone={onDone} />
  if (!pending || pending.state === 'none') return <p className="text-muted">Un moment…</p>
  const isSetup = pending.state === 'setup'
  return (
    <CodeForm
      {...codeLabels(pending)}
      hasPasskey={pending.state === 'verify' && pending.hasPasskey}
      isPasskeyFirst={pending.state === 'verify' && !pending.hasAuthenticator}
      onDone={isSetup ? () => setSetUp(true) : onDone}
      onRestart={onRestart}
    >
      {isSetup ? (
        <div className="grid gap-4">
          <p className="text-muted">
            Rolul contului cere un al doilea factor. Scanează codul cu o aplicație de autentificare (de
            exemplu Aegis, Google Authenticator, Microsoft Authenticator).
          </p>
          <Suspense>
            <SecondFactorKey uri={pending.uri} secret={pending.secret} />
          </Suspense>
        </div>
      ) : null}
    </CodeForm>
  )
}

/** Returns the label and the help of the code that the account can have. */
function codeLabels(pending: Exclude<Pending, { state: 'none' }>): { label: string; help: string | null } {
  if (pending.state === 'setup') return { label: 'Codul pe care îl arată aplicația', help: null }
  return pending.hasAuthenticator
    ? { label: 'Cod', help: 'Codul din aplicația de autentificare, sau un cod de recuperare.' }
    : { label: 'Cod de recuperare', help: 'Numai dacă nu ai la îndemână cheia de acces.' }
}

const EXPIRED_MESSAGE = 'A trecut prea mult timp. Este nevoie de o nouă autentificare.'

function CodeForm({
  label,
  help,
  hasPasskey,
  isPasskeyFirst,
  onDone,
  onRestart,
  children,
}: {
  label: string
  help: string | null
  hasPasskey: boolean
  /** Whether the passkey is the account's only second factor. */
  isPasskeyFirst: boolean
  onDone: () => void
  onRestart: SecondFactorStepProps['onRestart']
  children: ReactNode
}) {
  const field = useRef<HTMLInputElement>(null)
  const [isPending, setPending] = useState(false)
  const { errors, setError, incomplete, handlers, validate } = usePlainForm({ code: [required(label)] })
  const [failure, setFailure] = useState<string | null>(null)

  const proveByPasskey = async () => {
    if (isPending) return
    setFailure(null)
    setPending(true)
    try {
      const { signInWithPasskey } = await import('../../session/passkey-sign-in.ts')
      const rejection = await signInWithPasskey('second-factor')
      if (!rejection) return onDone()
      if (rejection.code === 'second-factor-expired') return onRestart(EXPIRED_MESSAGE)
      setFailure('Cheia de acces nu este a acestui cont.')
    } catch (error) {
      setFailure(explainPasskeyError(error) ?? explainSignInFailure(error))
    }
    setPending(false)
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending) return
    setFailure(null)
    if (!validate(event.currentTarget)) return
    const code = String(new FormData(event.currentTarget).get('code')).trim()
    setPending(true)
    try {
      const rejection = await signIn('second-factor', { code })
      if (!rejection) return onDone()
      if (rejection.code === 'second-factor-expired') return onRestart(EXPIRED_MESSAGE)
      setError('code', explainSecondFactorError(rejection.code))
      field.current?.select()
    } catch (error) {
      setFailure(explainSignInFailure(error))
    }
    setPending(false)
  }

  const passkeyButton = hasPasskey && (
    <PlainButton
      size="lg"
      variant={isPasskeyFirst ? 'primary' : 'secondary'}
      autoFocus={isPasskeyFirst}
      onClick={() => void proveByPasskey()}
    >
      Folosește o cheie de acces
    </PlainButton>
  )
  return (
    <form {...handlers} onSubmit={submit} className="grid gap-5">
      <FailureNotice>{incomplete ?? failure}</FailureNotice>
      {children}
      {isPasskeyFirst && passkeyButton}
      <PlainField
        ref={field}
        name="code"
        label={label}
        help={help}
        error={errors.code}
        autoComplete="one-time-code"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={32}
        // The only purpose of the step.
        autoFocus={!isPasskeyFirst}
      />
      <div className="grid gap-2">
        <PlainButton
          type="submit"
          variant={isPasskeyFirst ? 'secondary' : 'primary'}
          size="lg"
          isPending={isPending}
        >
          Continuă
        </PlainButton>
        {!isPasskeyFirst && passkeyButton}
        <PlainButton variant="quiet" onClick={() => onRestart(null)}>
          Înapoi la început
        </PlainButton>
      </div>
    </form>
  )
}
