import type { ReactNode } from 'react'
import { formatDate } from '../../../../shared/romania/romanian.ts'
import { Button } from '../../../ui/base/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import type { PossibleDuplicate } from './duplicates.queries.ts'

const REASON_TEXTS: Readonly<Record<PossibleDuplicate['reasons'][number], string>> = {
  name_and_birth_date: 'același nume și aceeași dată a nașterii',
  name: 'același nume',
  phone: 'același telefon',
}

export interface DuplicateAlertProps {
  duplicate: PossibleDuplicate
  title: string
  /** The buttons before the one that declares the two other people. */
  actions: ReactNode
  isPending?: boolean
  onDistinct: () => void
}

/** A patient who may be the same person: what identifies them, and why they are shown. */
export function DuplicateAlert({ duplicate, title, actions, isPending, onDistinct }: DuplicateAlertProps) {
  const { birthDate, cnpMasked, locality, number } = duplicate.patient
  const details = [
    birthDate ? `n. ${formatDate(birthDate)}` : 'fără data nașterii',
    cnpMasked ? `CNP ${cnpMasked}` : 'fără CNP',
    ...(locality ? [locality] : []),
    `nr. ${number}`,
  ]
  return (
    <Alert
      tone="info"
      icon="users"
      title={title}
      actions={
        <>
          {actions}
          <Button variant="quiet" isPending={isPending ?? false} onPress={onDistinct}>
            Nu e aceeași persoană
          </Button>
        </>
      }
    >
      <p className="flex flex-wrap gap-x-3 tabular-nums">
        {details.map((detail) => (
          <span key={detail} className="break-words">
            {detail}
          </span>
        ))}
        <span className="text-muted">
          ({duplicate.reasons.map((reason) => REASON_TEXTS[reason]).join(', ')})
        </span>
      </p>
    </Alert>
  )
}
