import { useApolloClient, useMutation } from '@apollo/client/react'
import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser'
import { useRef, useState } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { isTemporary } from '../../api/client-error.ts'
import { Field } from '../../forms/core/field.ts'
import { InlineForm } from '../../forms/core/inline-form.tsx'
import { Button } from '../../ui/base/button.tsx'
import { FailureNotice } from '../../ui/feedback/notice.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { useStepFocus } from '../../ui/hooks/use-step-focus.ts'
import { Badge } from '../../ui/page/status-pill.tsx'
import { deviceName } from './device-name.ts'
import {
  ADD_PASSKEY,
  BEGIN_PASSKEY,
  NEW_RECOVERY_CODES,
  OWN_ACCOUNT,
  type OwnSecurity,
  type PasskeyRow,
  REMOVE_PASSKEY,
  RENAME_PASSKEY,
} from './own-account.queries.ts'
import { explainPasskeyError } from './passkey-errors.ts'
import { useAsyncAction } from './use-async-action.ts'

type Step =
  | { kind: 'overview' }
  | { kind: 'add' }
  | { kind: 'rename'; passkey: PasskeyRow }
  | { kind: 'remove'; passkey: PasskeyRow }

const refetchOwnAccount = { refetchQueries: [OWN_ACCOUNT], awaitRefetchQueries: true }

/** The passkeys of the user: added, renamed, removed. */
export function OwnPasskeys({
  security,
  onCodes,
}: {
  security: OwnSecurity
  /** Called with new recovery codes, which cannot be shown again. */
  onCodes: (codes: readonly string[]) => void
}) {
  const { passkeys } = security
  const [step, setStep] = useState<Step>({ kind: 'overview' })
  const container = useStepFocus(step)
  const overview = () => setStep({ kind: 'overview' })

  return (
    <div ref={container} tabIndex={-1} className="outline-none">
      {step.kind === 'overview' && (
        <div className="grid justify-items-start gap-3">
          {passkeys.length === 0 ? (
            <p className="text-sm text-muted">
              O cheie de acces este ținută de telefon, de calculator sau pe o cheie USB și se deschide cu
              amprenta, fața sau codul dispozitivului. Cu ea se intră în cont fără parolă și fără cod.
            </p>
          ) : (
            <PasskeyList passkeys={passkeys} onStep={setStep} />
          )}
          <Button onPress={() => setStep({ kind: 'add' })}>Adaugă o cheie de acces</Button>
        </div>
      )}
      {step.kind === 'add' && (
        <Add
          security={security}
          onCancel={overview}
          onAdded={(codes) => {
            overview()
            // The codes show that the key is added; a toast would cover them on a narrow screen.
            if (codes.length > 0) onCodes(codes)
            else showToast({ tone: 'success', title: 'Cheia de acces este adăugată' })
          }}
        />
      )}
      {step.kind === 'rename' && <Rename passkey={step.passkey} onDone={overview} />}
      {step.kind === 'remove' && <Remove passkey={step.passkey} onDone={overview} />}
    </div>
  )
}

function PasskeyList({
  passkeys,
  onStep,
}: {
  passkeys: readonly PasskeyRow[]
  onStep: (step: Step) => void
}) {
  return (
    <ul aria-label="Chei de acces" className="w-full divide-y divide-line rounded-lg border border-line">
      {passkeys.map((passkey) => (
        <li
          key={passkey.id}
          className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 py-2.5"
        >
          <div className="grid min-w-0 text-sm">
            <span className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
              {passkey.name}
              {passkey.synced && <Badge tone="info">sincronizată</Badge>}
            </span>
            <span className="text-muted">
              {passkey.lastUsedAt
                ? `Folosită ${formatDateTime(passkey.lastUsedAt)}`
                : `Adăugată ${formatDateTime(passkey.createdAt)}`}
            </span>
          </div>
          <div className="flex gap-1">
            <Button
              variant="quiet"
              aria-label={`Redenumește cheia de acces ${passkey.name}`}
              onPress={() => onStep({ kind: 'rename', passkey })}
            >
              Redenumește
            </Button>
            <Button
              variant="quiet"
              aria-label={`Elimină cheia de acces ${passkey.name}`}
              onPress={() => onStep({ kind: 'remove', passkey })}
            >
              Elimină
            </Button>
          </div>
        </li>
      ))}
    </ul>
  )
}

function Add({
  security,
  onAdded,
  onCancel,
}: {
  security: OwnSecurity
  onAdded: (recoveryCodes: readonly string[]) => void
  onCancel: () => void
}) {
  const [begin] = useMutation(BEGIN_PASSKEY)
  const [add] = useMutation(ADD_PASSKEY, refetchOwnAccount)
  const findUnanswered = useUnansweredAddition()
  const unanswered = useRef<OwnSecurity | null>(null)
  const [failure, setFailure] = useState<string | null>(null)

  const addNow = async (name: string): Promise<readonly string[]> => {
    const { data: begun } = await begin()
    const optionsJSON = begun?.beginPasskey as PublicKeyCredentialCreationOptionsJSON
    const response = await startRegistration({ optionsJSON })
    try {
      const { data } = await add({ variables: { name, response } })
      return data?.addPasskey.recoveryCodes ?? []
    } catch (error) {
      if (isTemporary(error)) unanswered.current ??= security
      throw error
    }
  }
  const submit = async ({ name }: { name: string }) => {
    setFailure(null)
    try {
      // The device would reject a second key, so the next try first asks whether the first was added.
      const codes = unanswered.current && (await findUnanswered(unanswered.current))
      unanswered.current = null
      onAdded(codes ?? (await addNow(name)))
    } catch (error) {
      const sentence = explainPasskeyError(error)
      if (!sentence) throw error
      setFailure(sentence)
    }
  }
  return (
    <InlineForm
      start={{ name: deviceName(navigator.userAgent) }}
      submitLabel="Continuă"
      onSubmit={submit}
      onCancel={onCancel}
      failureTitle="Adăugarea nu s-a încheiat"
    >
      <FailureNotice>{failure}</FailureNotice>
      <NameField />
    </InlineForm>
  )
}

/**
 * Returns a function that resolves to the recovery codes of an addition whose response was lost, none if the account had some
 * before; to null if no key was added. `before`: the account before the addition. Codes that were lost with the response are
 * replaced.
 */
function useUnansweredAddition() {
  const client = useApolloClient()
  const [makeCodes] = useMutation(NEW_RECOVERY_CODES, { refetchQueries: [OWN_ACCOUNT] })
  return async (before: OwnSecurity): Promise<readonly string[] | null> => {
    const { data } = await client.query({ query: OWN_ACCOUNT, fetchPolicy: 'network-only' })
    const known = new Set(before.passkeys.map(({ id }) => id))
    if (!data?.mySecurity.passkeys.some(({ id }) => !known.has(id))) return null
    const hasLostCodes = before.recoveryCodesLeft === 0 && data.mySecurity.recoveryCodesLeft > 0
    return hasLostCodes ? ((await makeCodes()).data?.newRecoveryCodes ?? []) : []
  }
}

function Rename({ passkey, onDone }: { passkey: PasskeyRow; onDone: () => void }) {
  const [rename] = useMutation(RENAME_PASSKEY, refetchOwnAccount)
  const submit = async ({ name }: { name: string }) => {
    await rename({ variables: { id: passkey.id, name } })
    onDone()
  }
  return (
    <InlineForm start={{ name: passkey.name }} submitLabel="Salvează" onSubmit={submit} onCancel={onDone}>
      <NameField />
    </InlineForm>
  )
}

function Remove({ passkey, onDone }: { passkey: PasskeyRow; onDone: () => void }) {
  const [remove] = useMutation(REMOVE_PASSKEY, refetchOwnAccount)
  const attempt = useAsyncAction()
  const confirm = () =>
    attempt.run(async () => {
      await remove({ variables: { id: passkey.id } })
      onDone()
      showToast({ tone: 'success', title: `Cheia de acces „${passkey.name}” este eliminată` })
    })
  return (
    <div className="grid gap-4">
      <FailureNotice>{attempt.message}</FailureNotice>
      <p className="text-sm text-muted">
        Cu cheia de acces „{passkey.name}” nu se va mai putea intra în cont. De pe dispozitiv se șterge
        separat, din setările lui.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="danger" isPending={attempt.isPending} onPress={() => void confirm()}>
          Elimină
        </Button>
        <Button variant="quiet" onPress={onDone}>
          Anulează
        </Button>
      </div>
    </div>
  )
}

const NameField = () => (
  <Field
    type="text"
    name="name"
    label="Numele cheii de acces"
    help="După el se recunoaște în listă, de exemplu „Telefonul meu”."
    // With a maximal length of the element, the browser would cut a longer name without a word.
    validation={`required:trim|length:0,${LIMITS.passkeyName}`}
    validationMessages={{ required: 'Scrie un nume pentru cheie.' }}
    autoFocus
  />
)
