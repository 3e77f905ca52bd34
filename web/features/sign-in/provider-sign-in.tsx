import { useEffect, useState } from 'react'
import { connectedFetch } from '../../session/connection.ts'
import { startProviderSignIn } from '../../session/provider-sign-in.ts'
import { getSite } from '../../session/site.ts'
import { useSite } from '../../session/use-site.ts'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import { explainSignInFailure } from './sign-in-errors.ts'
import { SignInNotice } from './sign-in-notice.tsx'

/** Returns the name of the provider [7.1]; its id if the server does not list the provider. */
async function fetchProviderName(): Promise<string> {
  const response = await connectedFetch('/api/auth/providers')
  const providers = (await response.json()) as Record<string, { name: string }>
  const { login_provider } = getSite()
  return providers[login_provider]?.name ?? login_provider
}

/**
 * Sign-in with an external provider: one button for the provider, and the password for users who have one.
 */
export function ProviderSignIn({
  reason,
  callbackUrl,
  onPassword,
}: {
  /** Why the user returned to this step; null at the first visit. */
  reason: string | null
  callbackUrl: string
  onPassword: () => void
}) {
  const site = useSite()
  const [name, setName] = useState<string>(site.login_provider)
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState(reason)

  useEffect(() => {
    fetchProviderName().then(setName, () => undefined)
  }, [])

  const start = async () => {
    setPending(true)
    setFailure(null)
    try {
      await startProviderSignIn(site.login_provider, callbackUrl)
    } catch (error) {
      setFailure(explainSignInFailure(error))
    }
    setPending(false)
  }

  return (
    <div className="grid gap-5">
      <SignInNotice failure={failure} isPending={isPending} />
      <div className="grid gap-2">
        <PlainButton variant="primary" size="lg" isPending={isPending} onClick={() => void start()}>
          Continuă cu {name}
        </PlainButton>
        <PlainButton variant="quiet" onClick={onPassword}>
          Intră cu parolă
        </PlainButton>
      </div>
    </div>
  )
}
