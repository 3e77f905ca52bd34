import { useState } from 'react'
import { useSite } from '../../../session/use-site.ts'
import { DropArea } from '../../../ui/controls/drop-area.tsx'
import {
  ACCEPTED_ENDINGS,
  acceptedText,
  checkFiles,
  type RejectedFile,
} from '../../new-upload/file-checks.ts'
import { NewUploadFileList } from '../../new-upload/new-upload-file-list.tsx'
import { RejectedFiles } from '../../new-upload/rejected-files.tsx'
import type { OpenUploadState } from '../../new-upload/use-new-upload.ts'

/** The files of a dialog before they are sent, and where to choose them. */
export function ChosenFiles({
  draft: { upload, engine, files },
  existingCount,
}: {
  draft: OpenUploadState
  /** The files that the upload already has. */
  existingCount: number
}) {
  const site = useSite()
  const [rejected, setRejected] = useState<RejectedFile[]>([])
  const choose = (chosen: File[]) => {
    const checked = checkFiles(chosen, existingCount + files.length, site)
    if (checked.accepted.length > 0) upload.choose(checked.accepted)
    setRejected(checked.rejected)
  }
  return (
    <div className="grid gap-3">
      {rejected.length > 0 && <RejectedFiles rejected={rejected} />}
      {files.length > 0 && <NewUploadFileList files={files} engine={engine} onRemove={upload.remove} />}
      <DropArea
        onFiles={choose}
        title={files.length === 0 ? 'Trage aici fișierele' : 'Trage aici și alte fișiere'}
        help={files.length === 0 ? acceptedText(site) : undefined}
        accept={ACCEPTED_ENDINGS}
        isCompact={files.length > 0}
      />
    </div>
  )
}
