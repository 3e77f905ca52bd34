import { useMutation } from '@apollo/client/react'
import { useState } from 'react'
import { passwordFault } from '../../../shared/password-rules.ts'
import { explainPasswordFault } from '../../../shared/password-words.ts'
import { Button } from '../../ui/button.tsx'
import { NativePasswordField } from '../../ui/native-password-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useStepFocus } from '../../ui/use-step-focus.ts'
import { AttemptForm } from './attempt-form.tsx'
import { CHANGE_PASSWORD, OWN_ACCOUNT } from './own-account.queries.ts'
import { useAttempt } from './use-attempt.ts'

/** A new password for the old one; the other sessions end. */
export function ChangePassword({ passwordMin }: { passwordMin: number }) {
  const [isOpen, setOpen] = useState(false)
  const [change] = useMutation(CHANGE_PASSWORD, { refetchQueries: [OWN_ACCOUNT] })
  const attempt = useAttempt()
  const place = useStepFocus(isOpen)

  const submit = async ({ current = '', next = '' }: Record<string, string>) => {
    const fault = passwordFault(next, passwordMin)
    if (fault) return attempt.refuse({ next: explainPasswordFault(fault, passwordMin) })
    if (!(await attempt.run(() => change({ variables: { current, next } })))) return
    setOpen(false)
    showToast({
      tone: 'success',
      title: 'Parola a fost schimbată',
      description: 'Celelalte sesiuni s-au închis.',
    })
  }

  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      {isOpen ? (
        <AttemptForm
          attempt={attempt}
          submitLabel="Salvează parola"
          onSubmit={(fields) => void submit(fields)}
          onCancel={() => setOpen(false)}
        >
          <NativePasswordField
            name="current"
            label="Parola de acum"
            autoComplete="current-password"
            autoFocus
            error={attempt.errors.current}
          />
          <NativePasswordField
            name="next"
            label="Parola nouă"
            autoComplete="new-password"
            help={`Cel puțin ${passwordMin} caractere; patru-cinci cuvinte la întâmplare sunt o parolă bună.`}
            error={attempt.errors.next}
          />
        </AttemptForm>
      ) : (
        <Button onPress={() => setOpen(true)}>Schimbă parola</Button>
      )}
    </div>
  )
}
