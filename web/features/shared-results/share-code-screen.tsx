import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { parseShareCode, SHARE_CODE_LENGTH } from '../../../shared/shares/shares.ts'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import { PlainField } from '../../ui/plain/plain-field.tsx'
import { type PlainRule, usePlainForm } from '../sign-in/use-plain-form.ts'
import { ShareLayout } from './share-layout.tsx'

const shortCode: PlainRule = (value) =>
  parseShareCode(value) === null
    ? `Codul are ${SHARE_CODE_LENGTH} litere și cifre. Verificați-l pe bilet.`
    : null

/** Asks for the short code of an access slip and opens the share's own page. */
export function ShareCodeScreen() {
  const navigate = useNavigate()
  const { errors, handlers, validate } = usePlainForm({ code: [shortCode] })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!validate(event.currentTarget)) return
    const token = parseShareCode(String(new FormData(event.currentTarget).get('code')))
    if (token !== null) void navigate({ to: '/s/$token', params: { token } })
  }
  return (
    <ShareLayout title="Rezultatele dumneavoastră">
      <form {...handlers} onSubmit={submit} className="grid max-w-md gap-5">
        <p>Scrieți codul de pe biletul de acces. Puteți folosi litere mari sau mici.</p>
        <PlainField
          name="code"
          label="Codul de pe bilet"
          error={errors.code}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          // The only purpose of the page.
          autoFocus
        />
        <PlainButton type="submit" variant="primary" size="lg">
          Continuați
        </PlainButton>
      </form>
    </ShareLayout>
  )
}
