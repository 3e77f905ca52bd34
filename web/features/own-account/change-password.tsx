import { useMutation } from '@apollo/client/react'
import { useState } from 'react'
import { Field } from '../../forms/core/field.ts'
import { InlineForm } from '../../forms/core/inline-form.tsx'
import { Button } from '../../ui/base/button.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { useStepFocus } from '../../ui/hooks/use-step-focus.ts'
import { CHANGE_PASSWORD, OWN_ACCOUNT } from './own-account.queries.ts'

/** The form to change the password; the other sessions end. */
export function ChangePassword({ passwordMin }: { passwordMin: number }) {
  const [isOpen, setOpen] = useState(false)
  const [change] = useMutation(CHANGE_PASSWORD, { refetchQueries: [OWN_ACCOUNT] })
  const container = useStepFocus(isOpen)

  const submit = async (variables: { current: string; next: string }) => {
    await change({ variables })
    setOpen(false)
    showToast({
      tone: 'success',
      title: 'Parola a fost schimbată',
      description: 'Celelalte sesiuni s-au închis.',
    })
  }

  return (
    <div ref={container} tabIndex={-1} className="outline-none">
      {isOpen ? (
        <InlineForm
          start={{ current: '', next: '' }}
          submitLabel="Salvează parola"
          onSubmit={submit}
          onCancel={() => setOpen(false)}
        >
          <Field
            type="password"
            name="current"
            label="Parola de acum"
            validationLabel="Câmpul „Parola de acum”"
            autoComplete="current-password"
            validation="required"
            validationMessages={{ required: 'Scrie parola de acum.' }}
            autoFocus
          />
          <Field
            type="password"
            name="next"
            label="Parola nouă"
            autoComplete="new-password"
            help={`Cel puțin ${passwordMin} caractere; patru-cinci cuvinte la întâmplare sunt o parolă bună.`}
            validation={`required|new_password:${passwordMin}`}
            validationMessages={{ required: 'Scrie parola nouă.' }}
          />
        </InlineForm>
      ) : (
        <Button onPress={() => setOpen(true)}>Schimbă parola</Button>
      )}
    </div>
  )
}
