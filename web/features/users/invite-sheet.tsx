import { useMutation } from '@apollo/client/react'
import { useState } from 'react'
import { FormSheet } from '../../forms/saved-form/form-sheet.tsx'
import type { Option } from '../../ui/options/option.ts'
import { INVITE_USER, type Invitation } from './accounts.queries.ts'
import { InvitationDialog } from './invitation-dialog.tsx'
import { UserFields } from './user-fields.tsx'
import { NEW_USER, toInput, type UserValues } from './user-values.ts'

/**
 * The form in which an administrator invites a user, then gets the link to pass on. Mounted while it is open.
 */
export function InviteSheet({
  institution,
  onClose,
  onInvited,
}: {
  /** The institution of the new account, if known. */
  institution?: Option | undefined
  onClose: () => void
  onInvited: () => void
}) {
  const [invite] = useMutation(INVITE_USER)
  const [invitation, setInvitation] = useState<Invitation | null>(null)
  /** The element that opened the sheet; it gets the focus back at the end, when the form no longer exists. */
  const [opener] = useState(() => document.activeElement)
  const finish = () => {
    onClose()
    if (opener instanceof HTMLElement) requestAnimationFrame(() => opener.focus())
  }
  if (invitation) return <InvitationDialog invitation={invitation} onClose={finish} />

  const start: UserValues = institution
    ? { ...NEW_USER, role: 'institution', institutionIds: [institution.id] }
    : NEW_USER
  const save = async (values: UserValues, release: () => void) => {
    if (values.role === null) return
    const invitation = toInput(values.role, { ...NEW_USER, ...values })
    const { data } = await invite({ variables: { invitation } })
    if (!data) return
    release()
    setInvitation(data.inviteUser)
    onInvited()
  }
  return (
    <FormSheet
      title="Invită o persoană"
      saveLabel="Invită"
      stored={start}
      onSave={save}
      onClose={onClose}
      failureTitle="Nu s-a trimis invitația"
    >
      <UserFields isNew institutions={institution && [institution]} />
    </FormSheet>
  )
}
