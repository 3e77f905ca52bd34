import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, Suspense, useRef, useState } from 'react'
import { BlankLayout } from '../../layouts/blank-layout.tsx'
import { signIn } from '../../session/session.ts'
import { signedInTarget } from '../../session/sign-in-address.ts'
import { useSite } from '../../session/use-site.ts'
import { keepStored, readStored } from '../../ui/base/browser-storage.ts'
import { lazyNamed } from '../../ui/base/lazy.ts'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import { PlainField } from '../../ui/plain/plain-field.tsx'
import { PlainPasswordField } from '../../ui/plain/plain-password-field.tsx'
import { DemoAccounts } from './demo-accounts.tsx'
import { HelpContacts } from './help-contacts.tsx'
import { brandOf } from './organisation.ts'
import { explainSignInError, explainSignInFailure, requiresSecondFactor } from './sign-in-errors.ts'
import { SignInNotice } from './sign-in-notice.tsx'
import { required, usePlainForm, validEmail } from './use-plain-form.ts'

// Loaded only when needed.
const LOADED = {
  passkey: () => import('./passkey-step.tsx'),
  'second-factor': () => import('./second-factor-step.tsx'),
  forgotten: () => import('./forgotten-password.tsx'),
}
const PasskeyStep = lazyNamed(LOADED.passkey, 'PasskeyStep')
const SecondFactorStep = lazyNamed(LOADED['second-factor'], 'SecondFactorStep')
const ForgottenPassword = lazyNamed(LOADED.forgotten, 'ForgottenPassword')
const ProviderSignIn = lazyNamed(() => import('./provider-sign-in.tsx'), 'ProviderSignIn')

type Step = 'provider' | 'password' | 'passkey' | 'second-factor' | 'forgotten'
const TITLES: Record<Step, string> = {
  provider: 'Autentificare',
  password: 'Autentificare',
  passkey: 'Autentificare',
  'second-factor': 'Al doilea factor',
  forgotten: 'Parolă uitată',
}

/** Not empty in a browser whose last user said that several people use the computer. */
const SHARED_KEY = 'dosar-shared'

export function SignInScreen() {
  const site = useSite()
  const { callbackUrl, code } = useSearch({ from: '/' })
  const navigate = useNavigate()
  const home: Step = site.login_provider === 'local' ? 'password' : 'provider'
  // After the return from a provider, the second factor may still be required.
  const [step, setStep] = useState<Step>(requiresSecondFactor(code) ? 'second-factor' : home)
  const [email, setEmail] = useState('')
  const [isShared, setShared] = useState(() => Boolean(readStored(SHARED_KEY)))
  /** Why the user returned to the first step; null if nothing failed. */
  const [failure, setFailure] = useState<string | null>(null)
  /** The address whose sign-in is running; null if there is none. */
  const [pending, setPending] = useState<string | null>(null)

  const target = signedInTarget(callbackUrl)
  const finish = () => navigate({ href: target, replace: true })
  const restart = (reason: string | null) => {
    setFailure(reason)
    setPending(null)
    setStep(home)
  }
  /** Shows a step once its script has arrived, or the failure on this step. */
  const open = (next: keyof typeof LOADED) =>
    LOADED[next]().then(
      () => setStep(next),
      (error: unknown) => setFailure(explainSignInFailure(error)),
    )
  const share = (isNowShared: boolean) => {
    setShared(isNowShared)
    keepStored(SHARED_KEY, isNowShared ? '1' : '')
  }

  /** Signs in; resolves to whether the password must be entered again. */
  const submitPassword = async (address: string, password: string): Promise<boolean> => {
    setFailure(null)
    setEmail(address)
    setPending(address)
    try {
      const rejection = await signIn('local', { email: address, password, shared: String(isShared) })
      if (!rejection) {
        await finish()
        return false
      }
      setPending(null)
      if (requiresSecondFactor(rejection.code)) await open('second-factor')
      else setFailure(explainSignInError(rejection.error).text)
      return true
    } catch (error) {
      setFailure(explainSignInFailure(error))
    }
    setPending(null)
    return false
  }

  const steps: Record<Step, () => ReactNode> = {
    provider: () => (
      <ProviderSignIn reason={failure} callbackUrl={target} onPassword={() => setStep('password')} />
    ),
    password: () => (
      <PasswordForm
        email={email}
        failure={failure}
        pending={pending}
        isShared={isShared}
        onShare={share}
        onEnter={submitPassword}
        onPasskey={() => void open('passkey')}
        onForgotten={(address) => {
          setEmail(address)
          void open('forgotten')
        }}
      />
    ),
    passkey: () => (
      <PasskeyStep isShared={isShared} onDone={() => void finish()} onBack={() => restart(null)} />
    ),
    'second-factor': () => <SecondFactorStep onDone={() => void finish()} onRestart={restart} />,
    forgotten: () => <ForgottenPassword email={email} onBack={() => restart(null)} />,
  }
  return (
    <BlankLayout
      brand={brandOf(site)}
      title={TITLES[step]}
      footer={
        <>
          {step === 'password' && site.demoAccounts.length > 0 && (
            <DemoAccounts
              accounts={site.demoAccounts}
              pending={pending}
              onChoose={(address) => void submitPassword(address, site.demoPassword ?? '')}
            />
          )}
          <HelpContacts />
        </>
      }
    >
      <Suspense fallback={<p className="text-muted">Un moment…</p>}>{steps[step]()}</Suspense>
    </BlankLayout>
  )
}

const RULES = { email: [required('E-mail'), validEmail], password: [required('Parolă')] }

function PasswordForm({
  email,
  failure,
  pending,
  isShared,
  onShare,
  onEnter,
  onPasskey,
  onForgotten,
}: {
  email: string
  failure: string | null
  pending: string | null
  isShared: boolean
  onShare: (isShared: boolean) => void
  onEnter: (email: string, password: string) => Promise<boolean>
  onPasskey: () => void
  onForgotten: (email: string) => void
}) {
  const form = useRef<HTMLFormElement>(null)
  const { errors, incomplete, handlers, validate } = usePlainForm(RULES)

  const field = (name: string) => {
    const found = form.current?.elements.namedItem(name)
    return found instanceof HTMLInputElement ? found : null
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (pending) return
    if (!validate(event.currentTarget)) return
    if (!(await onEnter(field('email')?.value.trim() ?? '', field('password')?.value ?? ''))) return
    field('password')?.focus()
    field('password')?.select()
  }

  return (
    <form ref={form} {...handlers} onSubmit={submit} className="grid gap-5">
      <SignInNotice failure={incomplete ?? failure} isPending={pending !== null} />
      <PlainField
        name="email"
        label="E-mail"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="off"
        spellCheck={false}
        defaultValue={email}
        // The only purpose of the page.
        autoFocus={email === ''}
        readOnly={pending !== null}
        error={errors.email}
      />
      <PlainPasswordField
        name="password"
        label="Parolă"
        autoComplete="current-password"
        autoFocus={email !== ''}
        // Keeps the focus, but takes no key: it is not meant for this password, nor for the next screen.
        readOnly={pending !== null}
        error={errors.password}
      />
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-6"
          checked={isShared}
          onChange={({ target }) => onShare(target.checked)}
        />
        Calculator folosit de mai multe persoane
      </label>
      <div className="grid gap-2">
        <PlainButton type="submit" variant="primary" size="lg" isPending={pending !== null}>
          Autentificare
        </PlainButton>
        <PlainButton variant="quiet" onClick={onPasskey}>
          Intră cu o cheie de acces
        </PlainButton>
        <PlainButton variant="quiet" onClick={() => onForgotten(field('email')?.value.trim() ?? '')}>
          Ai uitat parola?
        </PlainButton>
      </div>
    </form>
  )
}
