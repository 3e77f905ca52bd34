import { useMutation } from '@apollo/client/react'
import { type FormEvent, useId, useState } from 'react'
import { errorMessage, fieldErrors } from '../../api/client-error.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useCopy } from '../../ui/use-copy.ts'
import { API_KEYS, CREATE_API_KEY } from './api-keys.queries.ts'

/** Names a key, then shows it: this once, since only its hash is kept. */
export function NewApiKeyDialog({ onClose }: { onClose: () => void }) {
  const formId = useId()
  const [name, setName] = useState('')
  const [create, { data, error, loading }] = useMutation(CREATE_API_KEY, { refetchQueries: [API_KEYS] })
  const key = data?.createApiKey.key
  const { label, copy } = useCopy(key ?? '')
  const errors = fieldErrors(error)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    // What is refused stands in `error`.
    if (!loading) create({ variables: { name } }).catch(() => undefined)
  }
  return (
    <Dialog
      // Another dialog, with a focus of its own: a second Enter must not close what is shown only once.
      key={key ? 'shown' : 'asked'}
      isOpen
      onOpenChange={onClose}
      mustBeAnswered={!!key}
      title={key ? 'Cheia nouă' : 'Emite o cheie API'}
      actions={
        key ? (
          <>
            <Button icon="copy" autoFocus onPress={copy}>
              {label}
            </Button>
            <Button variant="primary" onPress={onClose}>
              Am păstrat cheia
            </Button>
          </>
        ) : (
          <>
            <Button onPress={onClose}>Anulează</Button>
            <Button variant="primary" type="submit" form={formId} isPending={loading}>
              Emite
            </Button>
          </>
        )
      }
    >
      {key ? (
        <div className="grid gap-3">
          <p className="text-muted">Nu o vei mai vedea după ce închizi. Pune-o în antetul x-api-key.</p>
          <code className="rounded-lg border border-line bg-sunken px-4 py-3 font-mono text-sm break-all select-all">
            {key}
          </code>
        </div>
      ) : (
        <form id={formId} noValidate onSubmit={submit} className="grid gap-4">
          {error && Object.keys(errors).length === 0 && (
            <Alert tone="danger" isLive title="Cheia nu a fost emisă">
              {errorMessage(error)}
            </Alert>
          )}
          <TextField
            label="Nume"
            help="Cine o folosește și pentru ce: „Site-ul clinicii”."
            value={name}
            onChange={setName}
            error={errors.name}
            autoFocus
          />
        </form>
      )}
    </Dialog>
  )
}
