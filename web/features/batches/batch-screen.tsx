import { Suspense } from 'react'
import { counted } from '../../../shared/romania/romanian.ts'
import type { BatchFilter } from '../../../shared/uploads/batches.ts'
import { Card } from '../../ui/base/card.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { Kbd } from '../../ui/base/kbd.tsx'
import { lazyNamed } from '../../ui/base/lazy.ts'
import { DropArea } from '../../ui/controls/drop-area.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { Tabs } from '../../ui/page/tabs.tsx'
import { BatchHeader } from './batch-header.tsx'
import { BatchQuestion } from './batch-questions.tsx'
import { TABS } from './batch-tabs.ts'
import type { BatchGroup } from './batches.queries.ts'
import { actionsOf } from './group-actions.ts'
import { patientOf } from './group-facts.ts'
import { GROUP_SHORTCUTS } from './group-keys.ts'
import { GroupRow } from './group-row.tsx'
import { GroupTable } from './group-table.tsx'
import { TransferCard } from './sending/transfer-card.tsx'
import type { BatchSending } from './sending/use-batch-sender.ts'
import { type BatchPage, useBatchPage } from './use-batch-page.ts'

const GroupPanel = lazyNamed(() => import('./group-panel.tsx'), 'GroupPanel')
const GroupSheet = lazyNamed(() => import('./group-sheet.tsx'), 'GroupSheet')
const NewPatientSheet = lazyNamed(() => import('./new-patient-sheet.tsx'), 'NewPatientSheet')

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
  const page = useBatchPage(batchId, filter, sending)
  const { batch, groups, cursor, isFixed } = page
  return (
    <>
      <BatchHeader
        batch={batch}
        isFixed={isFixed}
        isSending={sending.isBusy}
        filed={page.filing.progress}
        onAcceptSure={page.askAcceptSure}
        onCloseBatch={() => void page.close(null)}
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
                ? `${counted(batch.counts.missing, 'fișier nu a ajuns', 'fișiere nu au ajuns')}: trage din nou același folder`
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
              page.isPanelOpen &&
                // Where the files lie over the end of the list, a focused row stays above them.
                'max-xl:[&_tr]:scroll-mb-[70dvh] xl:grid-cols-[minmax(0,1fr)_25rem] 2xl:grid-cols-[minmax(0,1fr)_30rem]',
            )}
          >
            <Card flush>
              <ListRegion {...page.region}>
                <div ref={page.list}>
                  <GroupTable
                    groups={groups}
                    cursor={cursor.id}
                    more={page.more}
                    empty={<Empty filter={filter} isSending={sending.isBusy} isFixed={isFixed} />}
                    renderRow={(group) => (
                      <Row key={group.upload.id} group={group} page={page} sending={sending} />
                    )}
                  />
                </div>
              </ListRegion>
            </Card>
            {page.isPanelOpen && cursor.group && groups && (
              <Suspense>
                <GroupPanel
                  key={`${cursor.group.upload.id} ${cursor.group.upload.version}`}
                  group={cursor.group}
                  groups={groups}
                  patientId={patientOf(cursor.group, page.choosing.get(cursor.group.upload.id))?.id ?? null}
                  ref={page.setPanel}
                  contentOf={(sha256) => sending.files.find((file) => file.sha256 === sha256)?.content}
                  isOwn={batch?.isOwn ?? false}
                  isFixed={isFixed}
                  onChanged={page.reload}
                  onClose={page.closePanel}
                />
              </Suspense>
            )}
          </div>
        </Tabs>
        <Shortcuts />
      </div>
      <Dialogs page={page} />
    </>
  )
}

function Row({ group, page, sending }: { group: BatchGroup; page: BatchPage; sending: BatchSending }) {
  const { id } = group.upload
  const fileId = sending.state.fileOfUpload.get(id)
  return (
    <GroupRow
      group={group}
      isCursor={id === page.cursor.id}
      isSearching={id === page.searching}
      isSending={page.filing.sent.has(id)}
      isFixed={page.isFixed}
      choosing={page.choosing.get(id)}
      problem={page.problemOf(group)}
      sending={fileId === undefined ? undefined : sending.files.find((file) => file.id === fileId)}
      actions={actionsOf(group, page)}
      onFocus={() => id !== page.cursor.id && page.cursor.set(id)}
      onAccept={() => page.accept(group)}
      onSearch={() => page.search(id)}
      onChoose={(patient) => page.choose(id, patient)}
      onCancelSearch={() => page.cancelSearch(id)}
    />
  )
}

/** What the page asks, and the forms of a group. */
function Dialogs({ page }: { page: BatchPage }) {
  const { batch, sheet, setSheet, asked, setAsked } = page
  return (
    <>
      <Suspense>
        {sheet?.kind === 'edit' && (
          <GroupSheet
            group={sheet.group}
            onReload={() => page.reread(sheet.group.upload.id)}
            onFiled={(id) => {
              setSheet(null)
              page.filing.addFiled(id)
              void page.reload()
            }}
            onClose={() => setSheet(null)}
          />
        )}
        {sheet?.kind === 'patient' && (
          <NewPatientSheet
            uploadId={sheet.group.upload.id}
            onChosen={(patient) => page.choose(sheet.group.upload.id, patient)}
            onClose={() => setSheet(null)}
          />
        )}
      </Suspense>
      {asked && batch && (
        <BatchQuestion
          asked={asked}
          batch={batch}
          onAcceptSure={page.acceptSure}
          onCloseBatch={(rest) => void page.close(rest)}
          onRemove={(group) => void page.remove(group)}
          onFile={page.fileAfterQuestion}
          onFileWithoutInstitution={page.fileWithoutInstitution}
          onEdit={(group) => {
            setAsked(null)
            setSheet({ kind: 'edit', group })
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

const Shortcuts = () => (
  <p aria-hidden="true" className="flex flex-wrap gap-x-4 gap-y-1.5 text-sm text-muted pointer-coarse:hidden">
    {GROUP_SHORTCUTS.map(({ labels, description }) => (
      <span key={description} className="flex items-center gap-1.5">
        {labels.map((label) => (
          <Kbd key={label}>{label}</Kbd>
        ))}
        {description}
      </span>
    ))}
  </p>
)

const Empty = ({
  filter,
  isSending,
  isFixed,
}: {
  filter: BatchFilter | null
  isSending: boolean
  isFixed: boolean
}) =>
  filter === null && isSending ? (
    <EmptyState icon="upload" title="Se pregătesc fișierele">
      Rândurile apar pe măsură ce fișierele sunt anunțate.
    </EmptyState>
  ) : filter === null ? (
    <EmptyState icon="folder-open" title="Lotul nu are fișiere">
      {isFixed
        ? 'Ce nu a fost trimis la verificare s-a retras.'
        : 'Trage aici un folder: fiecare fișier devine un rând, cu pacientul propus.'}
    </EmptyState>
  ) : (
    <EmptyState icon="check-circle" title="Niciun grup aici">
      Alege alt filtru, sau „Toate”.
    </EmptyState>
  )
