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

const CODE = {
  type: 'text',
  name: 'code',
  maxLength: 32,
  validation: 'required:trim',
  validationMessages: { required: 'Scrie codul.' },
} as const

/** A code of the authenticator application. */
export const CodeField = ({ autoFocus }: { autoFocus?: boolean }) => (
  <Field
    {...CODE}
    label="Cod din aplicație"
    autoComplete="one-time-code"
    inputMode="numeric"
    autoFocus={autoFocus}
  />
)

/** A recovery code, for an account without an authenticator application. */
export const RecoveryCodeField = () => <Field {...CODE} label="Cod de recuperare" />
