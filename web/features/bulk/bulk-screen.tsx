import { getRouteApi } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, Suspense } from 'react'
import { formatDateTime } from '../../../shared/romania/romanian.ts'
import type { UploadState } from '../../../shared/uploads/upload-state-list.ts'
import { useListQuery } from '../../lists/use-list-query.ts'
import { useFeature } from '../../session/use-session.ts'
import { LinkButton } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { lazyNamed } from '../../ui/base/lazy.ts'
import { TextLink } from '../../ui/base/link.tsx'
import { Spinner } from '../../ui/base/loading.tsx'
import { Unknown } from '../../ui/page/description-list.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { type Column, Table, type TableProps } from '../../ui/page/table.tsx'
import { type TabItem, Tabs } from '../../ui/page/tabs.tsx'
import { RejectedFiles } from '../preview/rejected-files.tsx'
import {
  FINISHED_UPLOADS,
  type FinishedUpload,
  OPEN_UPLOADS,
  RETURNED_UPLOADS,
  type ReturnedUpload,
  type UploadLine,
} from '../queue/queue.queries.ts'
import { FilesOff } from '../uploads/files-off.tsx'
import { MendUpload, RejectionReason } from '../uploads/returned/mend-upload.tsx'
import { DisagreeingMark, UploadStatePill } from '../uploads/upload-state-pill.tsx'
import { LONG_BATCH_MS, useLiveUploads } from '../uploads/use-live-uploads.ts'
import { useNow } from '../uploads/use-now.ts'
import { WaitingAge } from '../uploads/waiting-age.tsx'

const Batches = lazyNamed(() => import('../batches/batches.tsx'), 'Batches')

/** The states in which an upload needs an action of its author. */
const RETURNED: UploadState[] = ['rejected', 'quarantined', 'unassigned']
/** The states in which an upload is processed by the server or reviewed by a colleague. */
const IN_PROGRESS: UploadState[] = ['receiving', 'checking', 'in_review']
const FINISHED: UploadState[] = ['accepted', 'released', 'replaced']
/** Rows of the finished ones at first, and with each step. */
const FINISHED_ROWS = 10

const route = getRouteApi('/admin-layout/bulk')

const TABS = [
  { id: 'fisiere', label: 'Fișiere', icon: 'upload' },
  { id: 'pacienti', label: 'Import de pacienți', icon: 'users' },
  { id: 'operatii', label: 'Operații', icon: 'layers' },
] as const satisfies readonly TabItem[]

const PatientsImport = lazyNamed(() => import('../imports/patients-import.tsx'), 'PatientsImport')
const OperationsCard = lazyNamed(() => import('../operations/operations-card.tsx'), 'OperationsCard')

/** What is done with many files, patients or uploads at once; the tab is in the address. A batch has the page for itself. */
export function BulkScreen() {
  const { tab = 'fisiere', batch, import: importId } = route.useSearch()
  const navigate = route.useNavigate()
  const hasFiles = useFeature('patient::files')
  const isOfBatch = hasFiles && batch !== undefined
  return (
    <>
      {!isOfBatch && (
        <PageHeader title="Încărcările mele" meta="Ce trimiți și ce se întâmplă cu ce ai trimis." />
      )}
      <Tabs
        label="Încărcările mele"
        tabs={TABS}
        hasList={!isOfBatch}
        selected={tab}
        onSelect={(id) => void navigate({ search: id === 'fisiere' ? {} : { tab: id } })}
      >
        <Suspense fallback={<Spinner className="m-auto text-muted" />}>
          {tab === 'pacienti' ? (
            <PatientsImport
              importId={importId}
              onOpen={(id) => void navigate({ search: { tab: 'pacienti', ...(id && { import: id }) } })}
            />
          ) : !hasFiles ? (
            <FilesOff />
          ) : tab === 'fisiere' ? (
            <Files isOfBatch={isOfBatch} />
          ) : (
            <OperationsCard />
          )}
        </Suspense>
      </Tabs>
    </>
  )
}

/** Takes many files at once, and lists what became of the user's own uploads; of a batch only its groups. */
function Files({ isOfBatch }: { isOfBatch: boolean }) {
  return (
    <>
      <Suspense fallback={isOfBatch ? null : <div className="mb-6 h-24" />}>
        <Batches />
      </Suspense>
      {!isOfBatch && (
        <div className="grid gap-6">
          <Returned />
          <InProgress />
          <Finished />
        </div>
      )}
    </>
  )
}

function Returned() {
  const { page, reload, more, region } = useListQuery(RETURNED_UPLOADS, (data) => data.myUploads, {
    variables: { states: RETURNED },
  })
  const now = useNow()
  useLiveUploads(reload)
  const columns: Column<ReturnedUpload>[] = [
    ...uploadColumns(now, false),
    { id: 'why', header: 'De ce', cell: (upload) => <Reason upload={upload} />, className: 'min-w-48' },
    {
      id: 'mend',
      header: 'Ce urmează',
      cell: (upload) => <MendUpload upload={upload} />,
      className: 'min-w-48',
    },
  ]
  return (
    <UploadList
      title="De rezolvat"
      columns={columns}
      rows={page?.nodes ?? null}
      skeletonRows={2}
      more={more}
      region={region}
      empty={
        <EmptyState icon="check-circle" title="Nimic de rezolvat">
          Aici apar încărcările tale respinse, oprite la control sau rămase fără pacient, și cele respinse ale
          integrărilor.
        </EmptyState>
      }
    />
  )
}

function InProgress() {
  const { page, reload, more, region } = useListQuery(OPEN_UPLOADS, (data) => data.myUploads, {
    variables: { states: IN_PROGRESS },
  })
  const now = useNow()
  useLiveUploads(reload)
  const disagreeing = page?.nodes.filter(({ isDisagreeing }) => isDisagreeing).length ?? 0
  return (
    <UploadList
      title="În lucru"
      // The menu counts these too.
      meta={disagreeing > 0 && `${disagreeing} de rezolvat`}
      isDense
      columns={uploadColumns(now, true)}
      rows={page?.nodes ?? null}
      skeletonRows={3}
      more={more}
      region={region}
      empty={
        <EmptyState
          icon="upload"
          title="Nicio încărcare în lucru"
          action={
            <LinkButton to="/patients" icon="users">
              Mergi la pacienți
            </LinkButton>
          }
        >
          Rezultatele se încarcă pe pagina pacientului; aici le urmărești până sunt verificate.
        </EmptyState>
      }
    />
  )
}

function Finished() {
  const { page, reload, more, region } = useListQuery(FINISHED_UPLOADS, (data) => data.myUploads, {
    variables: { states: FINISHED, first: FINISHED_ROWS },
  })
  const now = useNow()
  useLiveUploads(reload, { batchMs: LONG_BATCH_MS })
  const columns: Column<FinishedUpload>[] = [
    ...uploadColumns(now, true),
    {
      id: 'opened',
      header: 'La instituție',
      cell: (upload) => <Opened upload={upload} />,
      className: 'min-w-40 lg:w-60',
    },
  ]
  return (
    <UploadList
      title="Verificate"
      isDense
      columns={columns}
      rows={page?.nodes ?? null}
      skeletonRows={3}
      more={more}
      region={region}
      empty={
        <EmptyState icon="paper-plane" title="Nicio încărcare verificată">
          Aici vezi când ajung la instituție rezultatele trimise de tine și când sunt deschise.
        </EmptyState>
      }
    />
  )
}

type UploadListProps<Line> = Pick<
  TableProps<Line>,
  'columns' | 'rows' | 'skeletonRows' | 'more' | 'empty' | 'isDense'
> & {
  title: string
  meta?: ReactNode
  region: Omit<ComponentProps<typeof ListRegion>, 'children'>
}

/** A card with uploads, each of which leads to its page. */
const UploadList = <Line extends UploadLine>({ title, meta, region, ...table }: UploadListProps<Line>) => (
  <Card title={title} meta={meta} flush>
    <ListRegion {...region}>
      <Table
        label={title}
        rowId={({ id }) => id}
        rowLink={({ id }) => ({ to: '/uploads/$uploadId', params: { uploadId: id } })}
        {...table}
      />
    </ListRegion>
  </Card>
)

/** When the institution opened a released result. */
function Opened({ upload: { state, institution, firstOpenedAt } }: { upload: FinishedUpload }) {
  if (firstOpenedAt) return <time dateTime={firstOpenedAt}>deschisă {formatDateTime(firstOpenedAt)}</time>
  if (state !== 'released') return <Unknown />
  return institution ? 'încă nedeschisă' : 'fără instituție'
}

function uploadColumns(now: number, isDense: boolean): Column<UploadLine>[] {
  return [
    {
      id: 'title',
      header: 'Titlu',
      kind: 'title',
      cell: ({ title, isDisagreeing, isOwn, authorName }) => (
        <span className={isDense ? 'lg:flex lg:items-center lg:gap-2' : ''}>
          <span className={isDense ? 'lg:truncate' : ''}>{title}</span>
          {!isOwn && <span className="block text-sm font-normal text-muted">trimisă de {authorName}</span>}
          {isDisagreeing && <DisagreeingMark isShort={isDense} />}
        </span>
      ),
    },
    {
      id: 'number',
      header: 'Număr',
      cell: ({ number }) => number,
      className: classNames('tabular-nums', isDense && 'lg:w-22'),
    },
    {
      id: 'patient',
      header: 'Pacient',
      cell: ({ patient }) =>
        patient ? (
          <TextLink to="/patients/$patientId" params={{ patientId: patient.id }}>
            {patient.name}
          </TextLink>
        ) : (
          <Unknown />
        ),
      className: isDense ? 'lg:w-56' : undefined,
    },
    {
      id: 'state',
      header: 'Stare',
      cell: ({ state }) => <UploadStatePill state={state} />,
      // What is to be mended says it too.
      className: isDense ? 'lg:w-40' : '@2xl/table:@max-5xl/table:hidden',
    },
    {
      id: 'since',
      header: 'De când',
      cell: ({ state, stateSince }) => <WaitingAge state={state} since={stateSince} now={now} />,
      className: classNames('whitespace-nowrap', isDense && 'lg:w-36'),
    },
  ]
}

function Reason({ upload: { state, reviews, files } }: { upload: ReturnedUpload }) {
  if (state === 'unassigned') return 'Nu are pacient.'
  if (state === 'quarantined') return <RejectedFiles files={files} />
  return <RejectionReason reviews={reviews} />
}
