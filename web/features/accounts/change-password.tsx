import { useMutation } from '@apollo/client/react'
import { useState } from 'react'
import { passwordFault } from '../../../shared/password-rules.ts'
import { Button } from '../../ui/button.tsx'
import { NativePasswordField } from '../../ui/native-password-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { AttemptForm } from './attempt-form.tsx'
import { CHANGE_PASSWORD, OWN_ACCOUNT } from './own-account.queries.ts'
import { explainPasswordFault } from './password-words.ts'
import { useAttempt } from './use-attempt.ts'

/** A new password for the old one; the other sessions end. */
export function ChangePassword({ passwordMin }: { passwordMin: number }) {
  const [isOpen, setOpen] = useState(false)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [change] = useMutation(CHANGE_PASSWORD, { refetchQueries: [OWN_ACCOUNT] })
  const attempt = useAttempt()
  const errors = { ...attempt.errors, ...faults }

  const submit = async ({ current = '', next = '' }: Record<string, string>) => {
    const fault = passwordFault(next, passwordMin)
    const found = {
      ...(current === '' && { current: 'Scrie parola de acum.' }),
      ...(fault && { next: explainPasswordFault(fault, passwordMin) }),
    }
    setFaults(found)
    if (Object.keys(found).length > 0) return
    if (!(await attempt.run(() => change({ variables: { current, next } })))) return
    setOpen(false)
    showToast({
      tone: 'success',
      title: 'Parola a fost schimbată',
      description: 'Celelalte sesiuni s-au închis.',
    })
  }

  if (!isOpen) {
    return (
      <Button className="justify-self-start" onPress={() => setOpen(true)}>
        Schimbă parola
      </Button>
    )
  }
  return (
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
        error={errors.current}
      />
      <NativePasswordField
        name="next"
        label="Parola nouă"
        autoComplete="new-password"
        help={`Cel puțin ${passwordMin} caractere; patru-cinci cuvinte la întâmplare sunt o parolă bună.`}
        error={errors.next}
      />
    </AttemptForm>
  )
}
