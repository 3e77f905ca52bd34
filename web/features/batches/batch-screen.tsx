import { useApolloClient } from '@apollo/client/react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { counted, formatDateTime } from '../../../shared/romania/romanian.ts'
import type { BatchFilter } from '../../../shared/uploads/batches.ts'
import { errorCode, errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { Kbd } from '../../ui/base/kbd.tsx'
import { lazyNamed } from '../../ui/base/lazy.ts'
import { DropArea } from '../../ui/controls/drop-area.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import type { MenuItem } from '../../ui/overlays/menu.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Badge, StatusPill } from '../../ui/page/status-pill.tsx'
import { Tabs } from '../../ui/page/tabs.tsx'
import { withdrawUpload } from '../new-upload/upload-server.ts'
import { type Asked, BatchQuestion } from './batch-questions.tsx'
import { countAll, TABS } from './batch-tabs.ts'
import { type BatchGroup, type BatchHead, CLOSE_BATCH } from './batches.queries.ts'
import { type GroupPatient, isFiled, patientOf, questionOf } from './group-facts.ts'
import { GROUP_SHORTCUTS, type GroupCommand } from './group-keys.ts'
import { GroupRow } from './group-row.tsx'
import { focusRow, GroupTable } from './group-table.tsx'
import { TransferCard } from './sending/transfer-card.tsx'
import type { BatchSending } from './sending/use-batch-sender.ts'
import { useCursor } from './use-cursor.ts'
import { useFiling } from './use-filing.ts'
import { useGroups } from './use-groups.ts'
import { useListKeys } from './use-list-keys.ts'

const GroupPanel = lazyNamed(() => import('./group-panel.tsx'), 'GroupPanel')
const GroupSheet = lazyNamed(() => import('./group-sheet.tsx'), 'GroupSheet')
const NewPatientSheet = lazyNamed(() => import('./new-patient-sheet.tsx'), 'NewPatientSheet')

/** A row whose patient has just changed is not filed by a key that was meant for the one before. */
const CHANGE_GUARD_MS = 1000

const NOT_READ = 'Încă nu s-a citit: trimite-l când apare propunerea.'

export interface BatchScreenProps {
  batchId: string
  filter: BatchFilter | null
  onFilter: (filter: BatchFilter | null) => void
  sending: BatchSending
  /** Whether this page sends files to another batch. */
  isElsewhere: boolean
  onFiles: (files: File[]) => void
}

/** The groups of a batch, which a person files row by row, or all sure ones at once. */
export function BatchScreen({ batchId, filter, onFilter, sending, isElsewhere, onFiles }: BatchScreenProps) {
  const client = useApolloClient()
  const { batch, groups, reload, changedAt, more, region } = useGroups(batchId, filter)
  const filing = useFiling(batchId, reload)
  const cursor = useCursor(groups)
  const [chosen, setChosen] = useState<ReadonlyMap<string, GroupPatient>>(new Map())
  const [searching, setSearching] = useState<string | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  /** The groups that a key was pressed for before they were read. */
  const [waited, setWaited] = useState<ReadonlySet<string>>(new Set())
  const [isPanelOpen, setPanelOpen] = useState(false)
  const [sheet, setSheet] = useState<{ kind: 'edit' | 'patient'; group: BatchGroup } | null>(null)
  const latestGroups = useRef(groups)
  latestGroups.current = groups
  const list = useRef<HTMLDivElement>(null)
  const isFixed = !batch?.isOwn || batch.closedAt !== null

  const focus = (id: string | null) => focusRow(list.current, id)
  const moveTo = (id: string | null) => {
    if (id === null) return
    flushSync(() => cursor.set(id))
    focus(id)
  }
  const search = (id: string) =>
    flushSync(() => {
      cursor.set(id)
      setSearching(id)
    })
  const endSearch = () => setSearching(null)

  const choose = (id: string, patient: GroupPatient) => {
    flushSync(() => {
      setChosen((before) => new Map(before).set(id, patient))
      filing.setProblem(id, null)
      endSearch()
      setSheet(null)
    })
    focus(id)
  }

  const file = async (group: BatchGroup) => {
    const { id } = group.upload
    const patient = patientOf(group, chosen.get(id))
    if (!patient || filing.sent.has(id)) return
    const next = cursor.id === id ? cursor.nextOpen() : null
    if (next !== null && next !== id) moveTo(next)
    await filing.accept(group, { patientId: patient.id })
  }
  const accept = (group: BatchGroup) => {
    const { id } = group.upload
    if (isFixed || isFiled(group)) return
    if (!group.proposal) return void setWaited((before) => new Set(before).add(id))
    if (!patientOf(group, chosen.get(id))) return search(id)
    if (Date.now() - (changedAt.get(id) ?? 0) < CHANGE_GUARD_MS && !chosen.has(id))
      return filing.setProblem(id, 'Propunerea tocmai s-a schimbat: verifică pacientul, apoi trimite.')
    const kind = questionOf(group)
    if (kind) setAsked({ kind, group })
    else void file(group)
  }
  const remove = async ({ upload: { id } }: BatchGroup) => {
    setAsked(null)
    try {
      await withdrawUpload(id)
    } catch (error) {
      filing.setProblem(id, errorMessage(error))
    }
    await reload()
  }
  const close = async (withdrawRest: boolean) => {
    setAsked(null)
    try {
      await client.mutate({ mutation: CLOSE_BATCH, variables: { id: batchId, withdrawRest } })
      showToast({ tone: 'success', title: 'Lotul este încheiat' })
      await reload()
    } catch (error) {
      if (errorCode(error) === 'CONFLICT' && !withdrawRest) setAsked({ kind: 'close' })
      else showToast({ tone: 'error', title: 'Lotul nu s-a încheiat', description: errorMessage(error) })
    }
  }
  const acceptSure = () => {
    setAsked(null)
    if (batch) void filing.acceptSure(batch)
  }

  const run = (command: GroupCommand) => {
    const { group } = cursor
    if (command === 'accept-sure') {
      if (!isFixed && batch && batch.counts.ready > 0 && filing.progress === null) setAsked({ kind: 'sure' })
      return
    }
    if (command === 'undo') return filing.undoLast(group && isFiled(group) ? group.upload.id : null)
    if (!group) return
    const { id } = group.upload
    if (command === 'next') moveTo(isRowFocused() ? cursor.step(1) : id)
    else if (command === 'previous') moveTo(cursor.step(-1))
    else if (command === 'first') moveTo(cursor.step(Number.NEGATIVE_INFINITY))
    else if (command === 'last') moveTo(cursor.step(Number.POSITIVE_INFINITY))
    // A row is filed or changed only where the person sees the focus.
    else if (!isRowFocused()) return
    else if (command === 'accept') accept(group)
    else if (command === 'preview') setPanelOpen((isOpen) => !isOpen)
    else if (isFixed || isFiled(group)) return
    else if (command === 'search') search(id)
    else if (command === 'remove') setAsked({ kind: 'remove', group })
  }
  useListKeys(run)
  // Rows appear as soon as their files are announced, before the server says that the batch has changed.
  const announced = sending.state.batchId === batchId ? sending.state.fileOfUpload.size : 0
  const latestReload = useRef(reload)
  latestReload.current = reload
  useEffect(() => {
    if (announced > 0) void latestReload.current()
  }, [announced])

  const sendingOf = (id: string) => {
    const fileId = sending.state.fileOfUpload.get(id)
    return fileId === undefined ? undefined : sending.files.find((file) => file.id === fileId)
  }
  const contentOf = (sha256: string) => sending.files.find((file) => file.sha256 === sha256)?.content
  const actionsOf = (group: BatchGroup): MenuItem[] => {
    const { id } = group.upload
    if (isFiled(group))
      return group.undoUntil
        ? [{ id: 'undo', label: 'Ia înapoi', icon: 'undo', onAction: () => void filing.undo([id]) }]
        : []
    return [
      {
        id: 'files',
        label: 'Arată fișierele',
        icon: 'eye',
        onAction: () => {
          cursor.set(id)
          setPanelOpen(true)
        },
      },
      ...(group.proposal
        ? [
            {
              id: 'edit',
              label: 'Editează și trimite',
              icon: 'pencil',
              onAction: () => setSheet({ kind: 'edit', group }),
            } as const,
          ]
        : []),
      {
        id: 'patient',
        label: 'Pacient nou',
        icon: 'user-plus',
        onAction: () => setSheet({ kind: 'patient', group }),
      },
      {
        id: 'remove',
        label: 'Scoate din lot',
        icon: 'trash',
        isDangerous: true,
        onAction: () => setAsked({ kind: 'remove', group }),
      },
    ]
  }

  return (
    <>
      <PageHeader
        title={batch?.name ?? 'Lot de fișiere'}
        crumbs={[{ label: 'Încărcările mele', link: { to: '/bulk' } }]}
        status={
          batch?.closedAt && (
            <StatusPill icon="archive" tone="neutral">
              Încheiat
            </StatusPill>
          )
        }
        meta={batch && <Meta batch={batch} />}
        actions={
          batch &&
          !isFixed && (
            <>
              <Button
                variant="quiet"
                icon="archive"
                isDisabled={sending.isBusy}
                onPress={() => void close(false)}
              >
                Încheie lotul
              </Button>
              <Button
                variant="primary"
                icon="paper-plane"
                isPending={filing.progress !== null}
                isDisabled={batch.counts.ready === 0}
                onPress={() => run('accept-sure')}
              >
                {filing.progress === null
                  ? `Trimite cele sigure (${batch.counts.ready})`
                  : `S-au trimis ${filing.progress}`}
              </Button>
            </>
          )
        }
      />
      <div className="grid gap-4">
        {!isElsewhere && <TransferCard sending={sending} />}
        {!isFixed && batch?.source === 'person' && (
          <DropArea
            isCompact
            takesFolders
            isDisabled={isElsewhere}
            title={
              batch.counts.missing > 0 && !sending.isBusy
                ? `${counted(batch.counts.missing, 'fișier nu a ajuns', 'fișiere nu au ajuns')}: trage din nou același dosar`
                : 'Trage aici și alte fișiere'
            }
            onFiles={onFiles}
          />
        )}
        <Tabs
          label="Grupuri"
          tabs={TABS.map(({ id, label, count }) => ({ id, label, count: batch ? count(batch) : undefined }))}
          selected={filter ?? 'all'}
          onSelect={(id) => onFilter(id === 'all' ? null : id)}
        >
          <div
            className={classNames(
              'grid items-start gap-4',
              isPanelOpen && 'xl:grid-cols-[minmax(41rem,1fr)_minmax(22rem,34rem)]',
            )}
          >
            <Card flush>
              <ListRegion {...region}>
                <div ref={list}>
                  <GroupTable
                    groups={groups}
                    cursor={cursor.id}
                    more={more}
                    empty={<Empty filter={filter} isSending={sending.isBusy} />}
                    renderRow={(group) => {
                      const { id } = group.upload
                      return (
                        <GroupRow
                          key={id}
                          group={group}
                          isCursor={id === cursor.id}
                          isSearching={id === searching}
                          isSending={filing.sent.has(id)}
                          isFixed={isFixed}
                          chosen={chosen.get(id)}
                          problem={
                            filing.problems.get(id) ??
                            (waited.has(id) && !group.proposal && !isFiled(group) ? NOT_READ : undefined)
                          }
                          sending={sendingOf(id)}
                          actions={actionsOf(group)}
                          onFocus={() => id !== cursor.id && cursor.set(id)}
                          onAccept={() => accept(group)}
                          onSearch={() => search(id)}
                          onChoose={(patient) => choose(id, patient)}
                          onCancelSearch={() => {
                            const isInside = list.current?.contains(document.activeElement)
                            flushSync(endSearch)
                            if (isInside) focus(id)
                          }}
                        />
                      )
                    }}
                  />
                </div>
              </ListRegion>
            </Card>
            {isPanelOpen && cursor.group && groups && (
              <Suspense>
                <GroupPanel
                  key={`${cursor.group.upload.id} ${cursor.group.upload.version}`}
                  group={cursor.group}
                  groups={groups}
                  contentOf={contentOf}
                  isFixed={isFixed}
                  onChanged={reload}
                  onClose={() => {
                    flushSync(() => setPanelOpen(false))
                    focus(cursor.id)
                  }}
                />
              </Suspense>
            )}
          </div>
        </Tabs>
        <p
          aria-hidden="true"
          className="flex flex-wrap gap-x-4 gap-y-1.5 text-sm text-muted pointer-coarse:hidden"
        >
          {GROUP_SHORTCUTS.map(({ labels, description }) => (
            <span key={description} className="flex items-center gap-1.5">
              {labels.map((label) => (
                <Kbd key={label}>{label}</Kbd>
              ))}
              {description}
            </span>
          ))}
        </p>
      </div>
      <Suspense>
        {sheet?.kind === 'edit' && (
          <GroupSheet
            group={sheet.group}
            onReload={async () => {
              await reload()
              return latestGroups.current?.find(({ upload }) => upload.id === sheet.group.upload.id) ?? null
            }}
            onFiled={(id) => {
              setSheet(null)
              filing.addFiled(id)
              void reload()
            }}
            onClose={() => setSheet(null)}
          />
        )}
        {sheet?.kind === 'patient' && (
          <NewPatientSheet
            onCreated={(patient) => choose(sheet.group.upload.id, patient)}
            onClose={() => setSheet(null)}
          />
        )}
      </Suspense>
      {asked && batch && (
        <BatchQuestion
          asked={asked}
          ready={batch.counts.ready}
          onAcceptSure={acceptSure}
          onCloseBatch={() => void close(true)}
          onRemove={(group) => void remove(group)}
          onFile={(group) => {
            setAsked(null)
            void file(group)
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

const isRowFocused = () => document.activeElement?.closest('tr[data-group]') != null

const Meta = ({ batch }: { batch: BatchHead }) => (
  <>
    {batch.source === 'integration' && <Badge>trimis de o integrare</Badge>}
    <span>nr. {batch.number}</span>
    <span>{formatDateTime(batch.createdAt)}</span>
    <span>{counted(batch.counts.announced, 'fișier', 'fișiere')}</span>
    <span role="status">
      {batch.counts.filed} din {counted(countAll(batch), 'grup', 'grupuri')} la verificare
    </span>
  </>
)

const Empty = ({ filter, isSending }: { filter: BatchFilter | null; isSending: boolean }) =>
  filter === null && isSending ? (
    <EmptyState icon="upload" title="Se pregătesc fișierele">
      Rândurile apar pe măsură ce fișierele sunt anunțate.
    </EmptyState>
  ) : filter === null ? (
    <EmptyState icon="folder-open" title="Lotul nu are fișiere">
      Trage aici un dosar: fiecare fișier devine un rând, cu pacientul propus.
    </EmptyState>
  ) : (
    <EmptyState icon="check-circle" title="Niciun grup aici">
      Alege alt filtru, sau „Toate”.
    </EmptyState>
  )
