import { useMutation } from '@apollo/client/react'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { FormSheet } from '../../forms/saved-form/form-sheet.tsx'
import { useUser } from '../../session/use-session.ts'
import { institutionNames } from './account-labels.ts'
import { UPDATE_USER, USER, type UserDetails } from './accounts.queries.ts'
import { UserFields } from './user-fields.tsx'
import { readValues, toInput, type UserValues } from './user-values.ts'

/** The form in which an administrator edits an account's details and rights. Mounted while it is open. */
export function EditUserSheet({
  user,
  onClose,
  onSaved,
}: {
  user: UserDetails
  onClose: () => void
  onSaved: (user: UserDetails) => void
}) {
  /** The user from which the form was filled; replaced after another user has saved. */
  const [stored, setStored] = useState(user)
  const [update] = useMutation(UPDATE_USER)
  const save = async (values: UserValues, release: () => void) => {
    const { id, version } = stored
    // A field that is not in the form stays as it is.
    const input = toInput(values.role ?? stored.role, { ...readValues(stored), ...values })
    const { data } = await update({ variables: { id, version, user: input } })
    if (!data) return
    release()
    onSaved(data.updateUser)
  }
  const reload = async () => {
    const variables = { id: user.id }
    const { data } = await client.query({ query: USER, variables, fetchPolicy: 'network-only' })
    if (!data) throw new Error('no user')
    setStored(data.user)
    return readValues(data.user)
  }
  return (
    <FormSheet
      title={`Editează: ${user.name}`}
      saveLabel="Salvează"
      stored={readValues(stored)}
      onSave={save}
      onReload={reload}
      onClose={onClose}
    >
      <UserFields
        isOwn={user.id === useUser().id}
        institutions={stored.institutions.map((institution) => ({
          id: institution.id,
          label: institutionNames([institution]),
        }))}
      />
    </FormSheet>
  )
}
