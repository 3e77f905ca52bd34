import { isAccepted } from '../../../shared/uploads/files.ts'
import { IconButton } from '../../ui/base/button.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { DownloadLink } from '../preview/download-link.tsx'
import { FilesPanel } from '../preview/files-panel.tsx'
import { mergeMarks } from '../preview/marks.ts'
import { archiveAddress } from '../preview/preview-controls.ts'
import type { Upload } from './upload.queries.ts'
import type { Review } from './use-review.ts'

type Props = { upload: Upload; review: Review }

/** Shows the files of the upload one at a time. */
export function ReviewFiles({ upload, review }: Props) {
  const { selected, select, openedIds, controls, onShown, target } = review.files
  if (!selected) return <NoFiles state={upload.state} />
  return (
    <FilesPanel
      files={upload.files}
      selected={selected}
      onSelect={(id) => select(id)}
      seen={review.canDecide ? openedIds : undefined}
      controls={controls}
      onShown={onShown}
      marks={marksOf(upload, selected.id)}
      target={target}
      actions={<FileActions upload={upload} review={review} />}
      className="h-[80dvh] lg:h-full"
    />
  )
}

/** The compared facts of a file. */
const marksOf = ({ comparison }: Upload, fileId: string) =>
  mergeMarks((comparison?.marks ?? []).filter((mark) => mark.fileId === fileId))

function FileActions({ upload: { id, files, can }, review }: Props) {
  const { selected } = review.files
  return (
    <>
      {files.length > 1 && files.every(({ scanResult }) => isAccepted(scanResult)) && (
        <DownloadLink href={archiveAddress(id)} variant="quiet" icon="zip">
          <span className="max-sm:sr-only">Descarcă tot</span>
        </DownloadLink>
      )}
      {can.removeFiles && selected && (
        <IconButton
          icon="trash"
          label={`Elimină ${selected.name}`}
          onPress={() => review.dialog.open('remove-file')}
        />
      )}
    </>
  )
}

function NoFiles({ state }: { state: Upload['state'] }) {
  return (
    <EmptyState
      icon="file"
      title={state === 'receiving' ? 'Fișierele nu au ajuns încă' : 'Niciun fișier'}
      className="rounded-lg border border-line"
    >
      {state === 'receiving' ? 'Apar aici după ce se încarcă și trec controlul automat.' : null}
    </EmptyState>
  )
}
