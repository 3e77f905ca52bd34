import { useMutation } from '@apollo/client/react'
import { useState } from 'react'
import { counted } from '../../../shared/romania/romanian.ts'
import { InlineForm } from '../../forms/core/inline-form.tsx'
import { Button } from '../../ui/base/button.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { useStepFocus } from '../../ui/hooks/use-step-focus.ts'
import { StatusPill } from '../../ui/page/status-pill.tsx'
import {
  BEGIN_SECOND_FACTOR,
  CONFIRM_SECOND_FACTOR,
  DISABLE_SECOND_FACTOR,
  NEW_RECOVERY_CODES,
  OWN_ACCOUNT,
  type OwnSecurity,
} from './own-account.queries.ts'
import { CodeField, OwnPasswordField } from './proof-fields.tsx'
import { SecondFactorKey } from './second-factor-key.tsx'

type Key = { secret: string; uri: string; ticket: string }
type Step =
  | { kind: 'overview' }
  | { kind: 'enable' }
  | { kind: 'confirm'; key: Key }
  | { kind: 'disable' }
  | { kind: 'new-codes' }

const refetchOwnAccount = { refetchQueries: [OWN_ACCOUNT] }

/**
 * The second factor of the user: enabled with an application, disabled with the password and a code, new
 * recovery codes.
 */
export function OwnSecondFactor({
  security,
  onCodes,
}: {
  security: OwnSecurity
  /** Called with new recovery codes, which cannot be shown again. */
  onCodes: (codes: readonly string[]) => void
}) {
  const [step, setStep] = useState<Step>({ kind: 'overview' })
  const container = useStepFocus(step)
  const overview = () => setStep({ kind: 'overview' })
  const showCodes = (codes: readonly string[]) => {
    overview()
    onCodes(codes)
  }

  return (
    <div ref={container} tabIndex={-1} className="outline-none">
      {step.kind === 'overview' && <Overview security={security} onStep={setStep} />}
      {step.kind === 'enable' && (
        <Enable onKey={(key) => setStep({ kind: 'confirm', key })} onCancel={overview} />
      )}
      {step.kind === 'confirm' && <Confirm secretKey={step.key} onCancel={overview} onCodes={showCodes} />}
      {step.kind === 'disable' && <Disable onDone={overview} />}
      {step.kind === 'new-codes' && <NewCodes onCancel={overview} onCodes={showCodes} />}
    </div>
  )
}

function Overview({ security, onStep }: { security: OwnSecurity; onStep: (step: Step) => void }) {
  const { hasAuthenticator, passkeys, secondFactorRequired, recoveryCodesLeft } = security
  const isLast = passkeys.length === 0
  if (!hasAuthenticator) {
    return (
      <div className="grid justify-items-start gap-3">
        <StatusPill icon={isLast ? 'shield-alert' : 'shield-check'} tone={isLast ? 'warning' : 'success'}>
          {isLast ? 'Inactiv' : 'Activ, prin cheia de acces'}
        </StatusPill>
        <p className="text-sm text-muted">
          Cu un cod din telefon pe lângă parolă, cine află parola tot nu poate intra.
        </p>
        <div className="flex flex-wrap gap-2">
          <Button onPress={() => onStep({ kind: 'enable' })}>Activează</Button>
          {!isLast && <Button onPress={() => onStep({ kind: 'new-codes' })}>Generează coduri noi</Button>}
        </div>
      </div>
    )
  }
  return (
    <div className="grid justify-items-start gap-3">
      <StatusPill icon="shield-check" tone="success">
        Activ
      </StatusPill>
      <p className="text-sm text-muted">
        {recoveryCodesLeft > 0
          ? `Mai ai ${counted(recoveryCodesLeft, 'cod de recuperare', 'coduri de recuperare')}.`
          : 'Nu mai există niciun cod de recuperare: trebuie generate altele.'}
        {secondFactorRequired &&
          isLast &&
          ' Rolul contului cere al doilea factor, deci nu poate fi dezactivat.'}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onPress={() => onStep({ kind: 'new-codes' })}>Generează coduri noi</Button>
        {!(secondFactorRequired && isLast) && (
          <Button variant="quiet" onPress={() => onStep({ kind: 'disable' })}>
            Dezactivează
          </Button>
        )}
      </div>
    </div>
  )
}

function Enable({ onKey, onCancel }: { onKey: (key: Key) => void; onCancel: () => void }) {
  const [begin] = useMutation(BEGIN_SECOND_FACTOR)
  const submit = async (variables: { password: string }) => {
    const { data } = await begin({ variables })
    if (data) onKey(data.beginSecondFactor)
  }
  return (
    <InlineForm start={{ password: '' }} submitLabel="Continuă" onSubmit={submit} onCancel={onCancel}>
      <OwnPasswordField />
    </InlineForm>
  )
}

function Confirm({
  secretKey: { ticket, uri, secret },
  onCodes,
  onCancel,
}: {
  secretKey: Key
  onCodes: (codes: readonly string[]) => void
  onCancel: () => void
}) {
  const [confirm] = useMutation(CONFIRM_SECOND_FACTOR, refetchOwnAccount)
  const submit = async ({ code }: { code: string }) => {
    const { data } = await confirm({ variables: { ticket, code } })
    if (data) onCodes(data.confirmSecondFactor)
  }
  return (
    <InlineForm start={{ code: '' }} submitLabel="Activează" onSubmit={submit} onCancel={onCancel}>
      <p className="text-sm text-muted">
        Scanează codul cu o aplicație de autentificare (de exemplu Aegis, Google Authenticator, Microsoft
        Authenticator), apoi scrie codul de șase cifre pe care îl arată.
      </p>
      <SecondFactorKey uri={uri} secret={secret} />
      <CodeField autoFocus />
    </InlineForm>
  )
}

function Disable({ onDone }: { onDone: () => void }) {
  const [disable] = useMutation(DISABLE_SECOND_FACTOR, refetchOwnAccount)
  const submit = async (variables: { password: string; code: string }) => {
    await disable({ variables })
    onDone()
    showToast({ tone: 'success', title: 'Al doilea factor este dezactivat' })
  }
  return (
    <InlineForm
      start={{ password: '', code: '' }}
      submitLabel="Dezactivează"
      variant="danger"
      onSubmit={submit}
      onCancel={onDone}
    >
      <OwnPasswordField />
      <CodeField />
    </InlineForm>
  )
}

function NewCodes({
  onCodes,
  onCancel,
}: {
  onCodes: (codes: readonly string[]) => void
  onCancel: () => void
}) {
  const [make] = useMutation(NEW_RECOVERY_CODES, refetchOwnAccount)
  const submit = async () => {
    const { data } = await make()
    if (data) onCodes(data.newRecoveryCodes)
  }
  return (
    <InlineForm start={{}} submitLabel="Generează coduri" onSubmit={submit} onCancel={onCancel}>
      <p className="text-sm text-muted">Codurile de până acum nu vor mai fi bune.</p>
    </InlineForm>
  )
}
