import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { formatMoment } from '../../../shared/romania/moment.ts'
import { counted } from '../../../shared/romania/romanian.ts'
import type { ShareProof } from '../../../shared/site/setting-bounds.ts'
import { errorMessage } from '../../api/client-error.ts'
import { publicClient } from '../../api/public-client.ts'
import { useSite } from '../../session/use-site.ts'
import { FailureNotice } from '../../ui/feedback/notice.tsx'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import { PlainField } from '../../ui/plain/plain-field.tsx'
import { type PlainRule, usePlainForm } from '../sign-in/use-plain-form.ts'
import { BirthDateFields, birthDateRules, readBirthDate } from './birth-date-fields.tsx'
import { MailedCode } from './mailed-code.tsx'
import { PROVE_SHARE } from './shared-results.queries.ts'

const CODE_DIGITS = 6
const sixDigits: PlainRule = (value) =>
  readDigits(value).length === CODE_DIGITS ? null : `Codul are ${CODE_DIGITS} cifre.`
const readDigits = (text: string): string => text.replace(/\D/g, '')

const WRONG: Readonly<Record<ShareProof, string>> = {
  birth_date: 'Data nașterii nu se potrivește. Verificați-o și încercați din nou.',
  pin: 'Codul PIN nu este cel potrivit. Verificați-l și încercați din nou.',
  email: 'Codul nu este cel trimis ultima dată sau a expirat. Puteți cere altul.',
}

const describeTries = (left: number | null): string =>
  left === null
    ? ''
    : left === 1
      ? 'Mai aveți o singură încercare.'
      : `Mai aveți ${counted(left, 'încercare', 'încercări')}.`

/** Asks the recipient of a share for the proof that its maker chose. */
export function ProofForm({
  token,
  proof,
  emailMasked,
  expiresAt,
  onChange,
}: {
  token: string
  proof: ShareProof
  emailMasked: string | null
  expiresAt: string | null
  /** Called when the state of the share may have changed; resolves when it is read again. */
  onChange: () => Promise<void>
}) {
  const { name } = useSite()
  const form = useRef<HTMLFormElement>(null)
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const { errors, incomplete, handlers, validate } = usePlainForm(
    proof === 'birth_date' ? birthDateRules : { code: [sixDigits] },
  )

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending) return
    setFailure(null)
    if (!validate(event.currentTarget)) return
    const fields = new FormData(event.currentTarget)
    const value = proof === 'birth_date' ? readBirthDate(fields) : readDigits(String(fields.get('code')))
    if (value === null) return setFailure('Data aceasta nu există în calendar. Verificați ziua și luna.')
    setPending(true)
    try {
      const { data } = await publicClient.mutate({
        mutation: PROVE_SHARE,
        variables: { token, proof: value },
        fetchPolicy: 'no-cache',
      })
      const answer = data?.proveShare
      if (answer?.outcome === 'wrong') {
        setFailure(`${WRONG[proof]} ${describeTries(answer.triesLeft)}`)
        form.current?.querySelector('input')?.select()
      } else await onChange()
    } catch (error) {
      setFailure(errorMessage(error))
    }
    setPending(false)
  }

  return (
    <form ref={form} {...handlers} onSubmit={submit} className="grid max-w-md gap-5">
      <div className="grid gap-2">
        <p>
          <strong className="font-semibold">{name}</strong> v-a trimis rezultate.
          {expiresAt && <> Le puteți vedea până la {formatMoment(new Date(expiresAt))}.</>}
        </p>
        <p>Ca să le vedeți numai dumneavoastră, vă rugăm să dovediți cine sunteți.</p>
      </div>
      <FailureNotice>{incomplete ?? failure}</FailureNotice>
      <ProofFields
        proof={proof}
        errors={errors}
        token={token}
        emailMasked={emailMasked}
        onFailure={setFailure}
      >
        <PlainButton type="submit" variant="primary" size="lg" isPending={isPending}>
          Vedeți rezultatele
        </PlainButton>
      </ProofFields>
    </form>
  )
}

/** The fields of the proof, with the button of the form below them. */
function ProofFields({
  proof,
  errors,
  token,
  emailMasked,
  onFailure,
  children,
}: {
  proof: ShareProof
  errors: Readonly<Record<string, string | null>>
  token: string
  emailMasked: string | null
  onFailure: (failure: string | null) => void
  children: ReactNode
}) {
  if (proof === 'email')
    return (
      <MailedCode token={token} emailMasked={emailMasked} onFailure={onFailure}>
        <CodeField label="Codul din e-mail" error={errors.code} />
        {children}
      </MailedCode>
    )
  return (
    <>
      {proof === 'birth_date' ? (
        <BirthDateFields errors={errors} />
      ) : (
        <CodeField
          label="Codul PIN"
          help="Cele 6 cifre pe care le-ați primit separat de această adresă."
          error={errors.code}
        />
      )}
      {children}
    </>
  )
}

function CodeField({
  label,
  help,
  error,
}: {
  label: string
  help?: ReactNode
  error: string | null | undefined
}) {
  return (
    <PlainField
      name="code"
      label={label}
      help={help}
      error={error}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={12}
      // The only purpose of the page.
      autoFocus
    />
  )
}
