import { useMutation, useQuery } from '@apollo/client/react'
import { type PublicKeyCredentialRequestOptionsJSON, startAuthentication } from '@simplewebauthn/browser'
import { useId, useState } from 'react'
import { errorMessage } from '../../api/client-error.ts'
import { Form } from '../../forms/core/form.tsx'
import { startProviderSignIn } from '../../session/provider-sign-in.ts'
import { getSite } from '../../session/site.ts'
import { Button } from '../../ui/base/button.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { FailureNotice } from '../../ui/feedback/notice.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { BEGIN_PASSKEY_PROOF, PROOF_OPTIONS, PROVE_IDENTITY } from './own-account.queries.ts'
import { explainPasskeyError } from './passkey-errors.ts'
import { CodeField, OwnPasswordField, RecoveryCodeField } from './proof-fields.tsx'
import { useAsyncAction } from './use-async-action.ts'

/**
 * Asks the user to prove their identity for an act that needs it: with a passkey, or with the password, and a code where
 * there is a second factor. Without an authenticator application that is a recovery code, which is asked only if the user
 * cannot use the passkey. An account without a password may also sign in again, which leaves the page.
 */
export function FreshProofDialog({ onFinish }: { onFinish: (isProved: boolean) => void }) {
  const id = useId()
  const [isPending, setPending] = useState(false)
  const { data, error } = useQuery(PROOF_OPTIONS, { fetchPolicy: 'network-only' })
  const [prove] = useMutation(PROVE_IDENTITY)
  const [beginPasskey] = useMutation(BEGIN_PASSKEY_PROOF)
  const other = useAsyncAction()
  const [failure, setFailure] = useState<string | null>(null)
  const [usesRecovery, setUsesRecovery] = useState(false)
  const options = data?.mySecurity
  const hasPasskey = options !== undefined && options.passkeys.length > 0
  const isPasskeyFirst = hasPasskey && !(options.hasPassword && options.hasAuthenticator)
  const canRecover = options?.hasPassword && isPasskeyFirst && options.recoveryCodesLeft > 0 && !usesRecovery
  const hasForm = options?.hasPassword && (!isPasskeyFirst || usesRecovery)

  const submit = async ({ password, code }: { password: string; code: string }) => {
    setPending(true)
    try {
      await prove({ variables: { password, code: code || null } })
      onFinish(true)
    } finally {
      setPending(false)
    }
  }
  const provePasskey = () =>
    other.run(async () => {
      setFailure(null)
      try {
        const { data: begun } = await beginPasskey()
        const optionsJSON = begun?.beginPasskeyProof as PublicKeyCredentialRequestOptionsJSON
        await prove({ variables: { passkey: await startAuthentication({ optionsJSON }) } })
        onFinish(true)
      } catch (thrown) {
        const sentence = explainPasskeyError(thrown)
        if (!sentence) throw thrown
        setFailure(sentence)
      }
    })
  const startSignIn = () =>
    other.run(() =>
      startProviderSignIn(getSite().login_provider, `${location.pathname}${location.search}${location.hash}`),
    )

  return (
    <Dialog
      isOpen
      onOpenChange={() => onFinish(false)}
      isDismissable={false}
      size="sm"
      title="Confirmarea identității"
      actions={
        <>
          <Button onPress={() => onFinish(false)} isDisabled={isPending}>
            Anulează
          </Button>
          {options && !options.hasPassword && (
            <Button
              variant={hasPasskey ? 'secondary' : 'primary'}
              isPending={other.isPending && !hasPasskey}
              onPress={() => void startSignIn()}
            >
              Mergi la autentificare
            </Button>
          )}
          {canRecover && (
            <Button onPress={() => setUsesRecovery(true)}>Folosește un cod de recuperare</Button>
          )}
          {hasPasskey && (
            <Button
              variant={hasForm ? 'secondary' : 'primary'}
              isPending={other.isPending}
              onPress={() => void provePasskey()}
            >
              Folosește o cheie de acces
            </Button>
          )}
          {hasForm && (
            <Button variant="primary" type="submit" form={id} isPending={isPending}>
              Confirmă
            </Button>
          )}
        </>
      }
    >
      <FailureNotice>
        {failure ?? other.message ?? (error && !data ? errorMessage(error) : null)}
      </FailureNotice>
      {hasForm ? (
        <Form id={id} start={{ password: '', code: '' }} onSubmit={submit} failureTitle="Nu s-a confirmat">
          <Explanation />
          <OwnPasswordField />
          {options.hasAuthenticator ? <CodeField /> : hasPasskey && <RecoveryCodeField />}
        </Form>
      ) : options?.hasPassword ? (
        <Explanation />
      ) : options ? (
        <p className="text-muted">
          Contul nu are parolă, deci operația cere o nouă autentificare. Ce nu este salvat în pagină se
          pierde.
        </p>
      ) : (
        !error && <Skeleton className="h-24" />
      )}
    </Dialog>
  )
}

const Explanation = () => (
  <p className="text-sm text-muted">
    Operația schimbă accesul la date sau scoate date din Dosar, de aceea cere confirmarea identității și
    într-o sesiune deschisă. Ce este scris în pagină rămâne.
  </p>
)
