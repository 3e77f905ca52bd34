import { useMutation } from '@apollo/client/react'
import { LIMITS } from '../../../shared/limits.ts'
import { Field } from '../../forms/core/field.ts'
import { FormDialog } from '../../forms/saved-form/form-sheet.tsx'
import { Button } from '../../ui/base/button.tsx'
import { useCopy } from '../../ui/hooks/use-copy.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { API_KEYS, CREATE_API_KEY } from './api-keys.queries.ts'

/** Creates a key and shows it once, since only its hash is stored. */
export function NewApiKeyDialog({ onClose }: { onClose: () => void }) {
  const [create, { data }] = useMutation(CREATE_API_KEY, { refetchQueries: [API_KEYS] })
  const { label, copy } = useCopy(data?.createApiKey.key ?? '')

  if (!data) {
    return (
      <FormDialog
        title="Emite o cheie API"
        saveLabel="Emite"
        stored={{ name: '' }}
        onSave={(values) => create({ variables: values })}
        onClose={onClose}
      >
        <Field
          type="text"
          name="name"
          label="Nume"
          help="Cine o folosește și pentru ce: „Site-ul clinicii”."
          validation="required:trim"
          maxLength={LIMITS.shortText}
          autoFocus
        />
      </FormDialog>
    )
  }
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      closesOnlyByActions
      title="Cheia nouă"
      actions={
        <>
          <Button icon="copy" autoFocus onPress={copy}>
            {label}
          </Button>
          <Button variant="primary" onPress={onClose}>
            Am păstrat cheia
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p className="text-muted">Nu o vei mai vedea după ce închizi. Pune-o în antetul x-api-key.</p>
        <code className="rounded-lg border border-line bg-sunken px-4 py-3 font-mono text-sm break-all select-all">
          {data.createApiKey.key}
        </code>
      </div>
    </Dialog>
  )
}
