import { Button } from '../../ui/base/button.tsx'
import { Icon, type IconName } from '../../ui/base/icon.tsx'
import { canChange } from '../new-upload/engine/draft.ts'
import { hasFingerprint } from '../new-upload/engine/new-upload-file.ts'
import { isSameContent } from '../new-upload/engine/transfers/resume-plan.ts'
import { NewUploadFileList } from '../new-upload/new-upload-file-list.tsx'
import { ReceivedFiles } from '../new-upload/received-files.tsx'
import { describeSentCheck, KNOWN_FILE, type SentStatement } from './describe-sent-check.ts'
import type { SentCheck } from './sent-uploads.queries.ts'
import type { Sending } from './use-sending.ts'

const STYLES: Record<SentStatement['tone'], { icon: IconName; className: string }> = {
  success: { icon: 'check-circle', className: 'text-success' },
  muted: { icon: 'eye', className: 'text-muted' },
  warning: { icon: 'file-question', className: 'text-warning' },
  danger: { icon: 'error', className: 'text-danger' },
}

/** The chosen files, each with its progress and with what it says. */
export function SentFiles({
  sending: { upload, files, open, checks },
  patientId,
  onPatient,
}: {
  sending: Sending
  patientId: string | null
  /** Chooses the patient whose facts a file has; undefined: it can no longer be changed. */
  onPatient: ((patient: { id: string; name: string }) => void) | undefined
}) {
  const isChangeable = !open || canChange(open)
  const noteOf = (sha256: string | null) => {
    const found = sha256 === null ? undefined : checks.bySha256.get(sha256)
    // Until the draft has the patient of the form, it was compared with another one.
    const isCompared = checks.patientId === patientId
    const check = found && (isCompared ? found : { ...found, state: 'WAITING' as const })
    return check && <SentFileNote check={check} patientId={patientId} onPatient={onPatient} />
  }
  const earlier = (open?.earlier.files ?? []).filter(
    (each) => !files.filter(hasFingerprint).some((file) => isSameContent(file, each)),
  )
  return (
    <>
      <ReceivedFiles
        files={earlier}
        noteOf={({ sha256 }) => noteOf(sha256)}
        onRemove={isChangeable ? ({ sha256 }) => void upload.removeReceived(sha256) : undefined}
      />
      {files.length > 0 && (
        <NewUploadFileList
          files={files}
          engine={upload.engine}
          noteOf={({ sha256, status }) => (status === 'sent' ? noteOf(sha256) : null)}
          onRemove={isChangeable ? (id) => void upload.remove(id) : undefined}
          className="-my-2"
        />
      )}
    </>
  )
}

function SentFileNote({
  check,
  patientId,
  onPatient,
}: {
  check: SentCheck
  patientId: string | null
  onPatient: ((patient: { id: string; name: string }) => void) | undefined
}) {
  const { tone, text, owner } = describeSentCheck(check, patientId)
  const { icon, className } = STYLES[tone]
  return (
    <div className="mt-1 grid justify-items-start gap-1.5 text-sm">
      <p role="status" className={`flex gap-1.5 ${className}`}>
        <Icon name={check.state === 'WAITING' ? 'pending' : icon} size={16} className="mt-0.5" />
        <span className="min-w-0 break-words">{text}</span>
      </p>
      {owner && onPatient && (
        <Button icon="user-check" onPress={() => onPatient(owner)}>
          Alege pacientul {owner.name}
        </Button>
      )}
      {check.isKnown && (
        <p className="flex gap-1.5 text-warning">
          <Icon name="copy" size={16} className="mt-0.5" />
          <span className="min-w-0 break-words">{KNOWN_FILE}</span>
        </p>
      )}
    </div>
  )
}
