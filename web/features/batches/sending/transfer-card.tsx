import { useEffect, useState } from 'react'
import { counted, formatBytes } from '../../../../shared/romania/romanian.ts'
import { useIsOffline } from '../../../session/use-is-offline.ts'
import { Button } from '../../../ui/base/button.tsx'
import { Card } from '../../../ui/base/card.tsx'
import { ProgressBar } from '../../../ui/base/loading.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import type { NewUploadFile } from '../../new-upload/engine/new-upload-file.ts'
import type { RejectedFile } from '../../new-upload/file-checks.ts'
import { OfflineAlert } from '../../new-upload/offline-alert.tsx'
import { RejectedFiles } from '../../new-upload/rejected-files.tsx'
import { addSample, formatDuration, type Sample, secondsLeft } from './batch-files.ts'
import { isUnfinished } from './batch-sender.ts'
import type { BatchSending } from './use-batch-sender.ts'

/** The files that this page sends to a batch: how far they are, and those that cannot be sent, with the reason. */
export function TransferCard({ sending }: { sending: BatchSending }) {
  const { files, state, sender, rejected } = sending
  const isOffline = useIsOffline()
  const failed = files.filter(({ status }) => status === 'failed')
  const unfinished = files.filter(isUnfinished)
  const secondsToGo = useSecondsLeft(files, unfinished.length > 0 && !state.isPaused)
  if (files.length === 0 && rejected.length === 0) return null
  const size = files.reduce((sum, file) => sum + file.size, 0)
  const sent = files.filter(({ status }) => status === 'sent').length
  return (
    <Card
      title={unfinished.length > 0 ? 'Se trimit fișierele' : 'Fișierele au ajuns'}
      actions={
        unfinished.length > 0 &&
        (state.isPaused ? (
          <Button variant="quiet" icon="play" onPress={sender.resume}>
            Continuă
          </Button>
        ) : (
          <Button variant="quiet" icon="pause" onPress={sender.pause}>
            Pauză
          </Button>
        ))
      }
    >
      <div className="grid gap-3">
        {isOffline && unfinished.length > 0 && <OfflineAlert title="Trimiterea așteaptă conexiunea" />}
        {files.length > 0 && (
          <ProgressBar
            label={`${sent} din ${counted(files.length, 'fișier', 'fișiere')}`}
            value={size === 0 ? 100 : (bytesArrived(files) / size) * 100}
            valueText={[
              `${formatBytes(bytesArrived(files))} din ${formatBytes(size)}`,
              state.isPaused && unfinished.length > 0 && 'oprit',
              secondsToGo !== null && `încă ${formatDuration(secondsToGo)}`,
            ]
              .filter(Boolean)
              .join(' · ')}
          />
        )}
        {failed.length > 0 && (
          <Alert
            tone="danger"
            title={counted(failed.length, 'fișier nu s-a trimis', 'fișiere nu s-au trimis')}
            actions={
              <Button icon="retry" onPress={sender.retryFailed}>
                Încearcă din nou
              </Button>
            }
          >
            <ul className="max-h-40 overflow-y-auto">
              {failed.map(({ id, name, reason }) => (
                <li key={id} className="break-words">
                  {name}: {reason}
                </li>
              ))}
            </ul>
          </Alert>
        )}
        {rejected.length > 0 && <Rejected rejected={rejected} onClear={sending.clearRejected} />}
      </div>
    </Card>
  )
}

const Rejected = ({ rejected, onClear }: { rejected: readonly RejectedFile[]; onClear: () => void }) => (
  <div className="grid justify-items-start gap-2">
    <div className="max-h-48 w-full overflow-y-auto">
      <RejectedFiles rejected={rejected} />
    </div>
    <Button variant="quiet" icon="close" onPress={onClear}>
      Am înțeles
    </Button>
  </div>
)

const bytesArrived = (files: readonly NewUploadFile[]): number =>
  files.reduce((sum, { status, done }) => sum + (status === 'hashing' || status === 'ready' ? 0 : done), 0)

/** Returns how long the transfer still takes, from the speed of the last half minute; null while it is not known. */
function useSecondsLeft(files: readonly NewUploadFile[], isRunning: boolean): number | null {
  const [samples, setSamples] = useState<readonly Sample[]>([])
  const [latest] = useState({ files })
  latest.files = files
  useEffect(() => {
    if (!isRunning) return
    const measure = () =>
      setSamples((before) => addSample(before, { atMs: Date.now(), done: bytesArrived(latest.files) }))
    const timer = setInterval(measure, 1000)
    return () => {
      clearInterval(timer)
      setSamples([])
    }
  }, [isRunning, latest])
  return secondsLeft(
    samples,
    files.reduce((sum, { size }) => sum + size, 0),
  )
}
