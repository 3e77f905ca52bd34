import { Field } from '../../forms/core/field.ts'

/** The password of the signed-in user's own account. */
export const OwnPasswordField = () => (
  <Field
    type="password"
    name="password"
    label="Parola contului"
    validationLabel="Câmpul „Parola contului”"
    autoComplete="current-password"
    validation="required"
    validationMessages={{ required: 'Scrie parola.' }}
    autoFocus
  />
)

/** A code of the second factor. */
export const CodeField = ({ autoFocus }: { autoFocus?: boolean }) => (
  <Field
    type="text"
    name="code"
    label="Cod din aplicație"
    autoComplete="one-time-code"
    inputMode="numeric"
    maxLength={32}
    validation="required:trim"
    validationMessages={{ required: 'Scrie codul.' }}
    autoFocus={autoFocus}
  />
)
