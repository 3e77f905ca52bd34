import { useState } from 'react'
import { Button, LinkButton } from '../../../ui/base/button.tsx'
import { Icon, type IconName } from '../../../ui/base/icon.tsx'
import { TextLink } from '../../../ui/base/link.tsx'
import type { FileCheck } from '../new-upload.queries.ts'
import { describeCheck, describeDuplicate, type FileStatement, mainDuplicate } from './file-statement.ts'

const STYLES: Record<FileStatement['tone'], { icon: IconName; className: string }> = {
  success: { icon: 'check-circle', className: 'text-success' },
  muted: { icon: 'eye', className: 'text-muted' },
  warning: { icon: 'file-question', className: 'text-warning' },
  danger: { icon: 'error', className: 'text-danger' },
}

export interface FileNoteProps {
  check: FileCheck
  patientId: string | null
  /** Gives the file to this patient; undefined: it cannot be moved, or is moved with others. */
  onMove?: ((owner: NonNullable<FileStatement['owner']>) => void) | undefined
  /** undefined: the file cannot be removed. */
  onRemove?: (() => void) | undefined
}

/** What a file says of its patient, and where it already is, with what can be done about it. */
export function FileNote({ check, patientId, onMove, onRemove }: FileNoteProps) {
  const statement = describeCheck(check, patientId ?? '')
  const { tone, text, owner } = statement
  const { icon, className } = STYLES[tone]
  return (
    <div className="mt-1 grid justify-items-start gap-1.5 text-sm">
      <p role="status" className={`flex gap-1.5 ${className}`}>
        <Icon name={check.state === 'WAITING' ? 'pending' : icon} size={16} className="mt-0.5" />
        <span className="min-w-0 break-words">{text}</span>
      </p>
      {owner && onMove && (
        <Button icon="user-check" onPress={() => onMove(owner)}>
          Mută acolo
        </Button>
      )}
      {check.state === 'REFUSED' && onRemove && (
        <Button icon="close" onPress={onRemove}>
          Scoate
        </Button>
      )}
      <Duplicate check={check} patientId={patientId ?? ''} onRemove={onRemove} />
    </div>
  )
}

function Duplicate({
  check,
  patientId,
  onRemove,
}: { check: FileCheck; patientId: string } & Pick<FileNoteProps, 'onRemove'>) {
  const [isKept, setKept] = useState(false)
  const duplicate = mainDuplicate(check, patientId)
  if (!duplicate || isKept) return null
  const { id, number, title, state, patient, replacedBy } = duplicate.upload
  const isReplaceable = state === 'released' && patient?.id === patientId && !replacedBy
  return (
    <>
      <p className="flex gap-1.5 text-warning">
        <Icon name="copy" size={16} className="mt-0.5" />
        <span className="min-w-0 break-words">
          {describeDuplicate(duplicate, patientId)}{' '}
          <TextLink to="/uploads/$uploadId" params={{ uploadId: id }} target="_blank">
            {title} (nr. {number})
          </TextLink>
        </span>
      </p>
      {onRemove && (
        <div className="flex flex-wrap gap-2">
          <Button onPress={() => setKept(true)}>Păstrează</Button>
          <Button onPress={onRemove}>Sări peste</Button>
          {isReplaceable && (
            <LinkButton
              to="/uploads/$uploadId"
              params={{ uploadId: id }}
              search={{ mend: 'replace' }}
              variant="quiet"
            >
              Înlocuiește rezultatul
            </LinkButton>
          )}
        </div>
      )}
    </>
  )
}
