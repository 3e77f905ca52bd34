import { LIMITS } from '../../../../shared/limits.ts'
import { ACCEPT_MESSAGES, ACCEPT_REASON_NAMES } from '../../../../shared/reviews/accept-reasons.ts'
import { Field } from '../../../forms/core/field.ts'
import { CodeFields } from './code-fields.tsx'

/** Two fields: why files that disagree are of the patient all the same, by a code and by a text. */
export const AcceptReasonFields = ({
  name,
  commentName,
  isFirst = true,
  label,
  help,
}: {
  name: string
  commentName: string
  /** Whether the form begins with them, so that they get the focus. */
  isFirst?: boolean
  label: string
  /** Where the text stays. */
  help: string
}) => (
  <CodeFields
    name={name}
    isFirst={isFirst}
    label={label}
    names={ACCEPT_REASON_NAMES}
    message={ACCEPT_MESSAGES.reason}
    needsText={() => true}
  >
    <Field
      type="textarea"
      name={commentName}
      label="În câteva cuvinte"
      help={help}
      validation="required:trim"
      validationMessages={{ required: ACCEPT_MESSAGES.comment }}
      rows={2}
      maxLength={LIMITS.shortText}
    />
  </CodeFields>
)
