import { counted } from '../../../../shared/romania/romanian.ts'
import { Button } from '../../../ui/base/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { canChange, type OpenDraft } from '../engine/draft.ts'
import { hasFingerprint } from '../engine/new-upload-file.ts'
import { isSameContent } from '../engine/transfers/resume-plan.ts'
import type { FileCheck } from '../new-upload.queries.ts'
import { NewUploadFileList } from '../new-upload-file-list.tsx'
import { ReceivedFiles } from '../received-files.tsx'
import type { OpenUploadState } from '../use-new-upload.ts'
import { FileNote } from './file-note.tsx'
import { describeCheck } from './file-statement.ts'

type Owner = NonNullable<ReturnType<typeof describeCheck>['owner']>

/** The chosen files with what they say; those that name one other person are moved there together. */
export function CheckedFiles({
  newUpload,
  isFixed,
  className,
}: {
  newUpload: OpenUploadState
  /** Whether no file can be removed or moved. */
  isFixed: boolean
  className?: string
}) {
  const { upload, engine, files, open, checks, patientId } = newUpload
  const isChangeable = !isFixed && (!open || canChange(open))
  const received = open ? findOthers(open, files) : []
  const listed = [...received, ...files].map(({ sha256 }) => sha256)
  // The files arrive in another order than they are listed in.
  const inOrder = [...checks.bySha256.values()].toSorted(
    (a, b) => listed.indexOf(a.file.sha256) - listed.indexOf(b.file.sha256),
  )
  const groups = groupByOwner(inOrder, patientId)
  const canMove = isChangeable && open !== null && !open.isHandedIn && upload.canMove
  const move = (owner: Owner, moved: readonly FileCheck[]) =>
    void upload.move(
      moved.map(({ file }) => file.id),
      owner,
    )
  const noteOf = (sha256: string | null, remove: () => unknown) => {
    const check = sha256 === null ? undefined : checks.bySha256.get(sha256)
    if (!check) return null
    const isAlone = !groups.some(({ checks: group }) => group.length > 1 && group.includes(check))
    return (
      <FileNote
        check={check}
        patientId={patientId}
        onMove={canMove && isAlone ? (owner) => move(owner, [check]) : undefined}
        onRemove={isChangeable ? () => void remove() : undefined}
      />
    )
  }
  return (
    <>
      {canMove &&
        groups
          .filter((group) => group.checks.length > 1)
          .map(({ owner, checks: group }) => (
            <Alert
              key={owner.id}
              tone="danger"
              icon="user-x"
              title={`${counted(group.length, 'fișier', 'fișiere')} sunt ale lui ${owner.name}`}
              actions={
                <Button icon="user-check" onPress={() => move(owner, group)}>
                  Mută cele {counted(group.length, 'fișier', 'fișiere')} la {owner.name}
                </Button>
              }
            >
              {group.map(({ file }) => file.name).join(', ')}
            </Alert>
          ))}
      {open && (
        <ReceivedFiles
          files={received}
          noteOf={({ sha256 }) => noteOf(sha256, () => upload.removeReceived(sha256))}
          onRemove={isChangeable ? ({ sha256 }) => void upload.removeReceived(sha256) : undefined}
        />
      )}
      {files.length > 0 && (
        <NewUploadFileList
          files={files}
          engine={engine}
          noteOf={({ id, sha256, status }) =>
            status === 'sent' ? noteOf(sha256, () => upload.remove(id)) : null
          }
          onRemove={isChangeable ? upload.remove : undefined}
          className={className}
        />
      )}
    </>
  )
}

/** Groups the files that name exactly one other patient. */
function groupByOwner(checks: readonly FileCheck[], patientId: string | null) {
  const groups = new Map<string, { owner: Owner; checks: FileCheck[] }>()
  for (const check of checks) {
    const { owner } = describeCheck(check, patientId ?? '')
    if (!owner) continue
    const group = groups.get(owner.id) ?? { owner, checks: [] }
    group.checks.push(check)
    groups.set(owner.id, group)
  }
  return [...groups.values()]
}

/** The files that had arrived earlier, or from another window, and are not in the list. */
const findOthers = ({ earlier }: OpenDraft, files: OpenUploadState['files']) =>
  earlier.files.filter((each) => !files.filter(hasFingerprint).some((file) => isSameContent(file, each)))
