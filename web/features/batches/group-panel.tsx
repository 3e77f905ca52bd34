import { useApolloClient, useQuery } from '@apollo/client/react'
import { type Ref, useRef, useState } from 'react'
import { counted } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Button, IconButton } from '../../ui/base/button.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { lazyNamed } from '../../ui/base/lazy.ts'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { DISCARD_FILE } from '../new-upload/new-upload.queries.ts'
import { type BatchGroup, GROUP_CHECKS, type GroupCheck, REGROUP_FILES } from './batches.queries.ts'
import { isFiled } from './group-facts.ts'
import { GroupPage } from './group-page.tsx'

const JoinDialog = lazyNamed(() => import('./join-dialog.tsx'), 'JoinDialog')

/** The files of a group: what each says, its page, and how the group is split and joined. */
export function GroupPanel({
  group,
  groups,
  patientId,
  ref,
  contentOf,
  isOwn,
  isFixed,
  onChanged,
  onClose,
}: {
  group: BatchGroup
  groups: readonly BatchGroup[]
  /** The patient whom the row shows, with whom the files are compared. */
  patientId: string | null
  /** The panel, which takes the focus. */
  ref: Ref<HTMLElement>
  contentOf: (sha256: string) => Blob | undefined
  isOwn: boolean
  isFixed: boolean
  onChanged: () => Promise<void>
  onClose: () => void
}) {
  const { id, files } = group.upload
  const { data, previousData, loading } = useQuery(GROUP_CHECKS, {
    variables: { id, patientId },
    fetchPolicy: 'network-only',
    skip: isFiled(group),
  })
  const fileChecks = (data ?? previousData)?.upload.fileChecks ?? []
  // Never those that were compared with the patient before.
  const draftFacts = data?.upload.draftFacts ?? []
  const checks = new Map(fileChecks.map((check) => [check.file.id, check]))
  const [shownId, setShownId] = useState(files[0]?.id)
  const shown = files.find((file) => file.id === shownId) ?? files[0]
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const isChangeable = !isFixed && !isFiled(group)
  return (
    <section
      ref={ref}
      aria-label="Fișierele grupului"
      tabIndex={-1}
      // The arrows scroll its page, the space bar chooses its files.
      data-own-keys
      onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && onClose()}
      className="sticky flex min-w-0 flex-col overflow-y-auto rounded-lg border border-line bg-surface max-xl:bottom-20 max-xl:z-10 max-xl:max-h-[65dvh] max-xl:shadow-lg lg:max-xl:bottom-4 xl:top-4 xl:max-h-[85dvh]"
    >
      <div className="flex items-center justify-between gap-2 border-b border-line py-1 pr-1 pl-4">
        <h2 className="font-semibold">{counted(files.length, 'fișier', 'fișiere')}</h2>
        <IconButton icon="close" label="Închide fișierele" onPress={onClose} />
      </div>
      <ul className="max-h-56 shrink-0 overflow-y-auto px-4 max-xl:max-h-28">
        {files.map((file) => (
          <li key={file.id} className="flex items-start gap-2 border-b border-line py-1 last:border-b-0">
            {isChangeable && (
              <Checkbox
                aria-label={`Alege ${file.name}`}
                isSelected={selected.has(file.id)}
                onChange={(isChosen) =>
                  setSelected(
                    (before) =>
                      new Set(
                        isChosen ? [...before, file.id] : [...before].filter((each) => each !== file.id),
                      ),
                  )
                }
              />
            )}
            <button
              type="button"
              aria-current={file.id === shown?.id || undefined}
              onClick={() => setShownId(file.id)}
              className={classNames(
                'min-w-0 flex-1 py-2 text-start text-sm',
                file.id === shown?.id && 'font-semibold',
              )}
            >
              <span className="block break-words">{file.name}</span>
              <span className="block font-normal text-muted">{describe(checks.get(file.id))}</span>
            </button>
          </li>
        ))}
      </ul>
      {isChangeable && files.length > 0 && (
        <Regroup
          group={group}
          groups={groups}
          selected={files.filter((file) => selected.has(file.id)).map((file) => file.id)}
          onChanged={async () => {
            setSelected(new Set())
            await onChanged()
          }}
        />
      )}
      {shown && (
        <GroupPage
          key={shown.id}
          file={shown}
          check={checks.get(shown.id)}
          facts={draftFacts.filter(({ fileId }) => fileId === shown.id)}
          content={contentOf(shown.sha256)}
          isOwn={isOwn}
          isLoading={loading}
        />
      )}
    </section>
  )
}

/** Returns what a file says of its patient, in a sentence. */
function describe(check: GroupCheck | undefined): string {
  if (!check) return ''
  if (check.state === 'WAITING') return 'Se citește…'
  if (check.state === 'REFUSED') return check.refusal?.sentence ?? 'Va fi refuzat la control.'
  if (check.state === 'UNREADABLE') return 'Nu se poate citi automat; verificatorul îl va compara.'
  if (check.people > 1) return `Numește ${counted(check.people, 'persoană', 'persoane')}.`
  if (check.patients.length === 0)
    return check.people > 0
      ? 'Numește o persoană, dar nu destul ca să fie găsită printre pacienți.'
      : 'Nu spune al cui este.'
  return check.patients.map(({ name, reasonText }) => `${name}: ${reasonText}`).join('; ')
}

/** Splits the chosen files off, joins them with another group, or takes them out. */
function Regroup({
  group,
  groups,
  selected,
  onChanged,
}: {
  group: BatchGroup
  groups: readonly BatchGroup[]
  selected: readonly string[]
  onChanged: () => Promise<void>
}) {
  const client = useApolloClient()
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [isJoining, setJoining] = useState(false)
  const { id: uploadId, files } = group.upload
  const container = useRef<HTMLDivElement>(null)
  const run = async (change: () => Promise<unknown>) => {
    setJoining(false)
    // Its buttons are disabled, and then belong to the group as it is after the change.
    container.current?.closest('section')?.focus()
    setPending(true)
    setProblem(null)
    try {
      await change()
    } catch (error) {
      setProblem(errorMessage(error))
    }
    await onChanged()
    setPending(false)
  }
  const regroup = (toUploadId: string | null) =>
    void run(() =>
      client.mutate({ mutation: REGROUP_FILES, variables: { uploadId, fileIds: [...selected], toUploadId } }),
    )
  const isNone = isPending || selected.length === 0
  return (
    <div ref={container} className="grid gap-2 border-t border-line px-4 py-2">
      <div className="flex flex-wrap gap-1">
        <Button
          variant="quiet"
          icon="unlink"
          isDisabled={isNone || selected.length === files.length}
          onPress={() => regroup(null)}
        >
          Separă
        </Button>
        <Button variant="quiet" icon="merge" isDisabled={isNone} onPress={() => setJoining(true)}>
          Unește cu…
        </Button>
        <Button
          variant="quiet"
          icon="trash"
          isDisabled={isNone || selected.length === files.length}
          onPress={() =>
            void run(async () => {
              for (const fileId of selected)
                await client.mutate({ mutation: DISCARD_FILE, variables: { uploadId, fileId } })
            })
          }
        >
          Scoate
        </Button>
      </div>
      {problem && (
        <Alert tone="danger" isLive>
          {problem}
        </Alert>
      )}
      {isJoining && (
        <JoinDialog groups={groups} except={uploadId} onChoose={regroup} onClose={() => setJoining(false)} />
      )}
    </div>
  )
}
