import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { SIGNED_IN_TARGET } from '../../../shared/guards.ts'
import { BlankLayout } from '../../layouts/blank-layout.tsx'
import { signIn } from '../../session/session.ts'
import { safeCallback } from '../../session/sign-in-address.ts'
import { site } from '../../session/site.ts'
import { NativeButton } from '../../ui/native-button.tsx'
import { NativeField } from '../../ui/native-field.tsx'
import { NativePasswordField } from '../../ui/native-password-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { DemoAccounts } from './demo-accounts.tsx'
import { HelpContacts } from './help-contacts.tsx'
import { explainSignInError, explainSignInFault } from './sign-in-words.ts'

export function SignInScreen() {
  const { error, callbackUrl } = useSearch({ from: '/' })
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  /** The address that is being tried. */
  const [pending, setPending] = useState<string | null>(null)
  const [missing, setMissing] = useState<'email' | 'password' | null>(null)
  const [failure, setFailure] = useState<string | null>(null)

  const focus = (name: string) => {
    const field = form.current?.elements.namedItem(name)
    if (field instanceof HTMLInputElement) {
      field.focus()
      field.select()
    }
  }

  const enter = async (email: string, password: string) => {
    setFailure(null)
    setPending(email)
    try {
      const refusal = await signIn('local', { email, password })
      if (!refusal)
        return await navigate({ href: safeCallback(callbackUrl, SIGNED_IN_TARGET), replace: true })
      setFailure(explainSignInError(refusal.error).text)
      focus('password')
    } catch (fault) {
      setFailure(explainSignInFault(fault))
    }
    setPending(null)
  }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (pending) return
    const fields = new FormData(event.currentTarget)
    const email = String(fields.get('email')).trim()
    const password = String(fields.get('password'))
    const empty = email === '' ? 'email' : password === '' ? 'password' : null
    setMissing(empty)
    if (empty) focus(empty)
    else void enter(email, password)
  }

  const asked = error ? explainSignInError(error) : null
  return (
    <BlankLayout
      brand={site}
      title="Autentificare"
      footer={
        <>
          {site.demoAccounts.length > 0 && (
            <DemoAccounts
              accounts={site.demoAccounts}
              pending={pending}
              onChoose={(email) => void enter(email, site.demoPassword ?? '')}
            />
          )}
          <HelpContacts />
        </>
      }
    >
      <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
        {failure ? (
          <Notice tone="danger" isLive>
            {failure}
          </Notice>
        ) : (
          asked && !pending && <Notice tone={asked.isInvitation ? 'info' : 'danger'}>{asked.text}</Notice>
        )}
        <NativeField
          name="email"
          label="E-mail"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
          // The page is for nothing else.
          autoFocus
          error={missing === 'email' ? 'Scrie adresa de e-mail.' : null}
        />
        <NativePasswordField
          name="password"
          label="Parolă"
          autoComplete="current-password"
          error={missing === 'password' ? 'Scrie parola.' : null}
        />
        <NativeButton type="submit" variant="primary" size="lg" isPending={pending !== null}>
          Autentificare
        </NativeButton>
      </form>
    </BlankLayout>
  )
}
