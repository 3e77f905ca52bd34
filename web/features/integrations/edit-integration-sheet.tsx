import { useApolloClient, useMutation } from '@apollo/client/react'
import { useState } from 'react'
import { FormSheet } from '../../forms/saved-form/form-sheet.tsx'
import { IntegrationCommands } from './integration-commands.tsx'
import { IntegrationFields } from './integration-fields.tsx'
import { type IntegrationValues, readValues, toInput } from './integration-values.ts'
import { INTEGRATIONS, type Integration, UPDATE_INTEGRATION } from './integrations.queries.ts'

/** The form in which an administrator edits an integration; its key stays. Mounted while it is open. */
export function EditIntegrationSheet({
  integration,
  onClose,
}: {
  integration: Integration
  onClose: () => void
}) {
  const client = useApolloClient()
  /** The integration from which the form was filled; replaced after another user has saved. */
  const [stored, setStored] = useState(integration)
  const [update] = useMutation(UPDATE_INTEGRATION)
  const reload = async () => {
    const { data } = await client.query({ query: INTEGRATIONS, fetchPolicy: 'network-only' })
    const now = data?.integrations.find(({ id }) => id === integration.id)
    if (!now) throw new Error('no integration')
    setStored(now)
    return readValues(now)
  }
  return (
    <FormSheet<IntegrationValues>
      title={`Editează: ${integration.name}`}
      saveLabel="Salvează"
      stored={readValues(stored)}
      onSave={async (values, release) => {
        const input = toInput({ ...readValues(stored), ...values })
        await update({ variables: { id: stored.id, version: stored.version, input } })
        release()
        onClose()
      }}
      onReload={reload}
      onClose={onClose}
    >
      <IntegrationFields stored={stored} />
      <details className="col-span-full">
        <summary className="cursor-pointer text-sm font-medium">
          Cum se folosește cheia …{integration.hint}
        </summary>
        <div className="mt-3 grid gap-3 text-sm">
          <IntegrationCommands kind={integration.kind} />
        </div>
      </details>
    </FormSheet>
  )
}
