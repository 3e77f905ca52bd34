import { useQuery } from '@apollo/client/react'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, Suspense, useRef, useState } from 'react'
import { SIGNED_IN_TARGET } from '../../../shared/access/guards.ts'
import { describePasswordError } from '../../../shared/password-messages.ts'
import { findPasswordError } from '../../../shared/password-rules.ts'
import { counted } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { publicClient } from '../../api/public-client.ts'
import { BlankLayout } from '../../layouts/blank-layout.tsx'
import { signIn } from '../../session/session.ts'
import { useSite } from '../../session/use-site.ts'
import { buttonClass } from '../../ui/base/button-styles.ts'
import { lazyNamed } from '../../ui/base/lazy.ts'
import { FailureNotice, Notice } from '../../ui/feedback/notice.tsx'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import { PlainPasswordField } from '../../ui/plain/plain-password-field.tsx'
import { ACCOUNT_LINK, type AccountLinkDetails } from './account-link.queries.ts'
import { HelpContacts } from './help-contacts.tsx'
import { brandOf } from './organisation.ts'
import { explainSignInError, explainSignInFailure, requiresSecondFactor } from './sign-in-errors.ts'
import { usePlainForm } from './use-plain-form.ts'

const SecondFactorStep = lazyNamed(() => import('./second-factor-step.tsx'), 'SecondFactorStep')

type Step = 'password' | 'second-factor' | 'void'

/** The screen of an invitation or password reset link, with which the user chooses the password once. */
export function AccountLinkScreen() {
  const site = useSite()
  const { token } = useParams({ from: '/cont/$token' })
  const navigate = useNavigate()
  const [chosenStep, setChosenStep] = useState<Step>('password')
  // The link is used up by the form below, so it is requested only once.
  const { data, error, refetch } = useQuery(ACCOUNT_LINK, {
    client: publicClient,
    variables: { token },
    fetchPolicy: 'no-cache',
  })
  const step = data && !data.accountLink && chosenStep === 'password' ? 'void' : chosenStep
  // The first administrator continues with the settings of the organisation.
  const home = data?.accountLink?.purpose === 'first-administrator' ? '/admin' : SIGNED_IN_TARGET
  const finish = () => void navigate({ href: home, replace: true })
  return (
    <BlankLayout brand={brandOf(site)} title={titleOf(step, data?.accountLink)} footer={<HelpContacts />}>
      <Suspense fallback={<Waiting />}>
        {step === 'void' && <InvalidLink />}
        {step === 'password' &&
          (data?.accountLink ? (
            <PasswordForm token={token} link={data.accountLink} onDone={finish} onStep={setChosenStep} />
          ) : error ? (
            <div className="grid gap-5">
              <Notice tone="danger" isLive>
                {errorMessage(error)}
              </Notice>
              <PlainButton onClick={() => void refetch()}>Încearcă din nou</PlainButton>
            </div>
          ) : (
            <Waiting />
          ))}
        {/* The password is saved by then: if this step expires, the user signs in with it. */}
        {step === 'second-factor' && (
          <SecondFactorStep onDone={finish} onRestart={() => void navigate({ to: '/' })} />
        )}
      </Suspense>
    </BlankLayout>
  )
}

const Waiting = () => <p className="text-muted">Un moment…</p>

function titleOf(step: Step, link: AccountLinkDetails | null | undefined): string {
  if (step === 'void') return 'Linkul nu mai este valabil'
  if (step === 'second-factor') return 'Al doilea factor'
  return link?.purpose === 'reset' ? 'Alege o parolă nouă' : 'Alege parola'
}

function InvalidLink() {
  return (
    <div className="grid gap-5">
      <div role="alert" className="grid gap-2 text-muted">
        <p>Linkul a fost folosit deja, a expirat sau a fost înlocuit de unul mai nou.</p>
        <p>
          Dacă parola este aleasă deja, autentificarea se face cu ea. Dacă nu, „Ai uitat parola?” trimite un
          link nou.
        </p>
      </div>
      <Link to="/" className={buttonClass({ variant: 'primary', size: 'lg' })}>
        Mergi la autentificare
      </Link>
    </div>
  )
}

function PasswordForm({
  token,
  link,
  onDone,
  onStep,
}: {
  token: string
  link: AccountLinkDetails
  onDone: () => void
  onStep: (step: Step) => void
}) {
  const field = useRef<HTMLInputElement>(null)
  const [password, setPassword] = useState('')
  const [isPending, setPending] = useState(false)
  const describe = (code: string) => describePasswordError(code, link.passwordMin)
  const { errors, setError, incomplete, handlers, validate } = usePlainForm({
    password: [
      (value) => {
        const code = findPasswordError(value, link.passwordMin)
        return code && describe(code)
      },
    ],
  })
  const [failure, setFailure] = useState<string | null>(null)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending) return
    setFailure(null)
    if (!validate(event.currentTarget)) return
    setPending(true)
    try {
      const rejection = await signIn('link', { token, password })
      if (!rejection) return onDone()
      if (rejection.code === 'link') return onStep('void')
      if (requiresSecondFactor(rejection.code)) return onStep('second-factor')
      if (rejection.code?.startsWith('password-')) {
        setError('password', describe(rejection.code))
        field.current?.focus()
      } else setFailure(explainSignInError(rejection.error, rejection.code).text)
    } catch (thrown) {
      setFailure(explainSignInFailure(thrown))
    }
    setPending(false)
  }

  return (
    <form {...handlers} onSubmit={submit} className="grid gap-5">
      <FailureNotice>{incomplete ?? failure}</FailureNotice>
      <p className="text-muted">
        Cont: <strong className="font-medium text-ink">{link.name}</strong>, {link.emailMasked}.
      </p>
      <PlainPasswordField
        ref={field}
        name="password"
        label="Parola nouă"
        autoComplete="new-password"
        // The only purpose of the page.
        autoFocus
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        help={<LengthHint length={[...password.normalize('NFKC')].length} min={link.passwordMin} />}
        error={errors.password}
      />
      <PlainButton type="submit" variant="primary" size="lg" isPending={isPending}>
        Salvează parola
      </PlainButton>
    </form>
  )
}

/** Shows how many characters are missing; no kind of character is required or forbidden. */
function LengthHint({ length, min }: { length: number; min: number }) {
  const missing = min - length
  return (
    <>
      Cel puțin {counted(min, 'caracter', 'caractere')}; patru-cinci cuvinte la întâmplare sunt o parolă bună.{' '}
      {length > 0 && (
        <span className="text-ink">
          {missing > 0 ? `Mai trebuie ${counted(missing, 'caracter', 'caractere')}.` : 'Lungimea ajunge.'}
        </span>
      )}
    </>
  )
}
