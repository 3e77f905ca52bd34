import { type FormEvent, useState } from 'react'
import { parseEmail } from '../../../shared/email.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { counted } from '../../../shared/romania/romanian.ts'
import { connectedFetch } from '../../session/connection.ts'
import { FailureNotice } from '../../ui/feedback/notice.tsx'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import { PlainField } from '../../ui/plain/plain-field.tsx'
import { explainSignInFailure } from './sign-in-errors.ts'
import { required, usePlainForm, validEmail } from './use-plain-form.ts'

const RULES = { email: [required('E-mail'), validEmail] }

/** Returns the server's sentence if there were too many requests; null if the request was accepted. */
async function requestReset(email: string): Promise<string | null> {
  const response = await connectedFetch('/api/password-reset', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  })
  if (response.status === 429) return ((await response.json()) as { message: string }).message
  if (!response.ok) throw new Error(`password-reset: status ${response.status}`)
  return null
}

/**
 * Requests a link to choose a new password. The response does not reveal whether the address has an account.
 */
export function ForgottenPassword({ email, onBack }: { email: string; onBack: () => void }) {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)
  const { errors, incomplete, handlers, validate } = usePlainForm(RULES)
  const [failure, setFailure] = useState<string | null>(null)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending) return
    setFailure(null)
    const address = parseEmail(String(new FormData(event.currentTarget).get('email')))
    if (!validate(event.currentTarget) || !address) return
    setPending(true)
    try {
      const rejection = await requestReset(address)
      if (rejection) setFailure(rejection)
      else setSentTo(address)
    } catch (error) {
      setFailure(explainSignInFailure(error))
    }
    setPending(false)
  }

  if (sentTo) {
    return (
      <div className="grid gap-5">
        <div role="status" className="grid gap-2 text-muted">
          <p>
            Dacă <strong className="font-medium break-all text-ink">{sentTo}</strong> are un cont, îi trimitem
            acum un link. Este valabil {counted(LIMITS.resetMinutes, 'minut', 'minute')}.
          </p>
          <p>Nu ajunge? Caută și în mesajele nedorite, sau întreabă administratorul.</p>
        </div>
        <PlainButton size="lg" onClick={onBack}>
          Înapoi la autentificare
        </PlainButton>
      </div>
    )
  }
  return (
    <form {...handlers} onSubmit={submit} className="grid gap-5">
      <FailureNotice>{incomplete ?? failure}</FailureNotice>
      <p className="text-muted">Pe adresa contului vine un link cu care se alege o parolă nouă.</p>
      <PlainField
        name="email"
        label="E-mail"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="off"
        spellCheck={false}
        defaultValue={email}
        error={errors.email}
        // This field is the only purpose of the step.
        autoFocus
      />
      <div className="grid gap-2">
        <PlainButton type="submit" variant="primary" size="lg" isPending={isPending}>
          Trimite linkul
        </PlainButton>
        <PlainButton variant="quiet" onClick={onBack}>
          Înapoi la autentificare
        </PlainButton>
      </div>
    </form>
  )
}
