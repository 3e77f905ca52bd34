import { useQuery } from '@apollo/client/react'
import { Fragment } from 'react'
import { counted, formatBytes, formatDateTime } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { ownBuildId } from '../../builds/own-build.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { DescriptionList } from '../../ui/page/description-list.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { StatusPill } from '../../ui/page/status-pill.tsx'
import { JobsCard } from './jobs-card.tsx'
import { type StorageDetails, SYSTEM, type SystemDetails } from './system.queries.ts'

/** Warns below this free space, in which two files of the largest size (2 GiB) still fit. */
const LOW_SPACE_BYTES = 5 * 1024 ** 3

/** Shows the state of the server: application, database, storage, backups and jobs. */
export function SystemTab() {
  const { data, error, loading, refetch } = useQuery(SYSTEM, { notifyOnNetworkStatusChange: true })
  const refresh = () => void refetch().catch(() => undefined)
  if (error && !data) return <ErrorState onRetry={refresh}>{errorMessage(error)}</ErrorState>
  if (!data) return <Loading />
  const { system } = data
  const storage = 'storage' in system ? system.storage : undefined
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted">Starea de acum a serverului. Nimic de aici nu este despre un pacient.</p>
        <Button icon="refresh" isPending={loading} onPress={refresh}>
          Citește din nou
        </Button>
      </div>
      {error && (
        <Alert tone="danger" isLive title="Nu s-a citit tot">
          {errorMessage(error)}
        </Alert>
      )}
      {storage && <Space free={storage.free} />}
      <UntrustedProxy request={system.untrustedProxy} />
      <Card title="Aplicația">
        <DescriptionList items={applicationDetails(system)} />
      </Card>
      <Card title="Date">
        <DescriptionList items={[...databaseDetails(system), ...storageDetails(storage, loading)]} />
      </Card>
      <Backup database={system.database} />
      <JobsCard counts={system.jobs} failed={system.failedJobs} onChange={refresh} />
    </div>
  )
}

function Space({ free }: { free: number | null }) {
  if (free === null || free >= LOW_SPACE_BYTES) return null
  return (
    <Alert tone="warning" title={`Pe disc mai sunt liberi ${formatBytes(free)}`}>
      Eliberează spațiu sau mărește discul: când se umple, nu se mai pot primi fișiere.
    </Alert>
  )
}

const ISOLATION_NAMES: Readonly<Record<SystemDetails['sandboxIsolation'], string>> = {
  namespaces: 'izolat: fără rețea și fără acces la folderul de date',
  user: 'izolat în parte: alt utilizator, dar cu rețea; sistemul nu permite mai mult',
  none: 'fără izolare de rețea: sistemul nu o permite acestui utilizator',
}

/** Any client can send the header, so the text says when nothing has to be done. */
function UntrustedProxy({ request }: { request: SystemDetails['untrustedProxy'] }) {
  if (!request) return null
  const from = request.address ? ` de la ${request.address}` : ''
  return (
    <Alert tone="warning" title="Serverul nu ține seama de proxy-ul din fața lui">
      {formatDateTime(request.at)}: o cerere{from} avea antetul <code>X-Forwarded-For</code> sau{' '}
      <code>Forwarded</code>, dar serverul nu are încredere în niciun proxy. Toți cei din spatele unui proxy
      au pentru server aceeași adresă, iar parolele greșite ale unuia îi pot opri și pe ceilalți. Dacă aceasta
      este adresa proxy-ului, setează <code>TRUST_PROXY=true</code> și repornește serverul; altfel nu ai nimic
      de făcut.
    </Alert>
  )
}

const applicationDetails = ({
  nodeVersion,
  startedAt,
  hasMailServer,
  sandboxIsolation,
  scanner,
}: SystemDetails) => [
  { label: 'Versiunea din această pagină', value: <code className="font-mono text-sm">{ownBuildId}</code> },
  { label: 'Pornită', value: formatDateTime(startedAt) },
  { label: 'Node.js', value: nodeVersion },
  { label: 'Server de e-mail', value: hasMailServer ? 'configurat' : 'neconfigurat: mesajele așteaptă' },
  { label: 'Controlul fișierelor', value: ISOLATION_NAMES[sandboxIsolation] },
  { label: 'Antivirus', value: describeScanner(scanner) },
]

function describeScanner(scanner: SystemDetails['scanner']): string {
  if (!scanner) return 'neconfigurat: fișierele nu sunt scanate'
  return scanner.version ?? 'nu răspunde: fișierele noi așteaptă'
}

const databaseDetails = ({ database }: SystemDetails) => [
  { label: 'PostgreSQL', value: database.version },
  { label: 'Baza de date', value: formatBytes(database.bytes) },
  { label: 'Structura datelor', value: <MigrationName name={database.migration} /> },
]

/** Breaks lines only between words. */
const MigrationName = ({ name }: { name: string }) => (
  <code className="font-mono text-sm">
    {name.split('_').map((word, index) => (
      <Fragment key={word}>
        {index > 0 && (
          <>
            _<wbr />
          </>
        )}
        {word}
      </Fragment>
    ))}
  </code>
)

function storageDetails(storage: StorageDetails | undefined, isLoading: boolean) {
  const absent = isLoading ? 'se citește…' : 'nu s-a putut citi'
  const free = storage?.free ?? null
  return [
    {
      label: 'Fișiere păstrate',
      value: storage
        ? `${counted(storage.files, 'fișier', 'fișiere')}, ${formatBytes(storage.bytes)}`
        : absent,
    },
    {
      label: 'Liber pe disc',
      value: storage ? (free === null ? 'fără limită cunoscută' : formatBytes(free)) : absent,
    },
  ]
}

/** The state of PostgreSQL's own archiving: the product makes no backups, and says so. */
function Backup({
  database: { archiving, lastArchivedAt, lastArchiveFailedAt },
}: {
  database: SystemDetails['database']
}) {
  const isFailing =
    lastArchiveFailedAt !== null && (lastArchivedAt === null || lastArchiveFailedAt > lastArchivedAt)
  return (
    <Card
      title="Copii de siguranță"
      meta={
        !archiving ? (
          <StatusPill icon="warning" tone="warning">
            Arhivarea este oprită
          </StatusPill>
        ) : isFailing ? (
          <StatusPill icon="error" tone="danger">
            Arhivarea nu reușește
          </StatusPill>
        ) : (
          <StatusPill icon="check-circle" tone="success">
            Arhivarea merge
          </StatusPill>
        )
      }
    >
      {archiving ? (
        <DescriptionList
          items={[
            { label: 'Ultima arhivare', value: lastArchivedAt && formatDateTime(lastArchivedAt) },
            {
              label: 'Ultima încercare nereușită',
              value: lastArchiveFailedAt && formatDateTime(lastArchiveFailedAt),
            },
          ]}
        />
      ) : (
        <p>
          Dosar nu face singur copii de siguranță, iar arhivarea continuă a bazei de date (
          <code>archive_mode</code>) este oprită. Copiază regulat baza de date și folderul de fișiere pe alt
          calculator.
        </p>
      )}
    </Card>
  )
}

function Loading() {
  return (
    <div role="status" aria-label="Se încarcă" className="grid gap-6">
      <Skeleton className="h-10 w-40" />
      <Skeleton className="h-36" />
      <Skeleton className="h-36" />
      <Skeleton className="h-24" />
    </div>
  )
}
