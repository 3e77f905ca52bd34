import { useMutation } from '@apollo/client/react'
import { LIMITS } from '../../../shared/limits.ts'
import { counted } from '../../../shared/romania/romanian.ts'
import { Field } from '../../forms/core/field.ts'
import { FormDialog } from '../../forms/saved-form/form-sheet.tsx'
import { END_SHARES } from './shares.queries.ts'

/** Ends one or several shares. Mounted while it is open. */
export function EndSharesDialog({
  ids,
  onEnded,
  onClose,
}: {
  ids: readonly string[]
  onEnded: () => void
  onClose: () => void
}) {
  const [end] = useMutation(END_SHARES)
  return (
    <FormDialog
      title={ids.length === 1 ? 'Încheie linkul' : `Încheie ${counted(ids.length, 'link', 'linkuri')}`}
      saveLabel="Încheie"
      variant="danger"
      failureTitle="Nu s-a încheiat"
      stored={{ reason: '' }}
      onSave={async ({ reason }, release) => {
        if (!(await end({ variables: { ids: [...ids], reason } })).data) return
        release()
        onEnded()
        onClose()
      }}
      onClose={onClose}
    >
      <p className="text-sm">
        Nu se mai deschide de acum, iar descărcările în curs se opresc. Nu se poate redeschide.
      </p>
      <Field
        type="text"
        name="reason"
        label="Motivul"
        validation="required:trim"
        maxLength={LIMITS.shortText}
        autoFocus
      />
    </FormDialog>
  )
}
