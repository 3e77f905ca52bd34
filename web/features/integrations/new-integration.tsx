import { useMutation } from '@apollo/client/react'
import { useState } from 'react'
import { FormSheet } from '../../forms/saved-form/form-sheet.tsx'
import { Button } from '../../ui/base/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { CommandText, IntegrationCommands } from './integration-commands.tsx'
import { IntegrationFields } from './integration-fields.tsx'
import { type IntegrationValues, NEW_INTEGRATION, toInput } from './integration-values.ts'
import { CREATE_INTEGRATION, type NewIntegration as Created, INTEGRATIONS } from './integrations.queries.ts'

/** Creates an integration and shows its key once, since only the key's hash is stored. */
export function NewIntegration({ onClose }: { onClose: () => void }) {
  const [create] = useMutation(CREATE_INTEGRATION, { refetchQueries: [INTEGRATIONS] })
  const [created, setCreated] = useState<Created | null>(null)
  /** The element that opened the sheet; it gets the focus back at the end, when the form no longer exists. */
  const [opener] = useState(() => document.activeElement)
  const finish = () => {
    onClose()
    if (opener instanceof HTMLElement) requestAnimationFrame(() => opener.focus())
  }
  if (created) return <KeyDialog created={created} onClose={finish} />
  return (
    <FormSheet<IntegrationValues>
      title="Integrare nouă"
      saveLabel="Creează"
      failureTitle="Integrarea nu a fost creată"
      stored={NEW_INTEGRATION}
      onSave={async (values, release) => {
        const { data } = await create({ variables: { input: toInput({ ...NEW_INTEGRATION, ...values }) } })
        if (!data) return
        release()
        setCreated(data.createIntegration)
      }}
      onClose={onClose}
    >
      <IntegrationFields />
    </FormSheet>
  )
}

function KeyDialog({ created, onClose }: { created: Created; onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      closesOnlyByActions
      title={`Cheia integrării „${created.integration.name}”`}
      actions={
        <Button variant="primary" onPress={onClose}>
          Am păstrat cheia
        </Button>
      }
    >
      <div className="grid gap-3">
        <p className="text-muted">
          Nu o vei mai vedea după ce închizi. Cine o are poate trimite rezultate în numele integrării, dar nu
          poate citi nimic.
        </p>
        <CommandText name="cheia" text={created.key} />
        <IntegrationCommands kind={created.integration.kind} />
      </div>
    </Dialog>
  )
}
