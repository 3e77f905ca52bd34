import { useRef, useState } from 'react'
import type { FileKind } from '../../../shared/uploads/files.ts'
import { FailureNotice } from '../../ui/feedback/notice.tsx'
import { ToastHost } from '../../ui/feedback/toast.tsx'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import { AriaProvider } from '../../ui/provider/aria-provider.tsx'
import { FilePreview } from '../preview/file-preview.tsx'
import type { PreviewControls } from '../preview/preview-controls.ts'
import type { SharedFile } from './shared-results.queries.ts'

const NOT_PRINTED =
  'Documentul nu a putut fi tipărit de aici. Descărcați-l și tipăriți-l din programul cu care se deschide.'

/** Previews a file of a share with the viewer of the application, nearly as high as the screen, and prints it. */
export function SharedPreview({ file, folder }: { file: SharedFile; folder: string }) {
  const controls = useRef<PreviewControls>(null)
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const print = async () => {
    setFailure(null)
    setPending(true)
    try {
      await controls.current?.print()
    } catch {
      setFailure(NOT_PRINTED)
    }
    setPending(false)
  }
  return (
    <AriaProvider>
      <div>
        <PlainButton size="lg" isPending={isPending} onClick={() => void print()}>
          Tipăriți
        </PlainButton>
      </div>
      <FailureNotice>{failure}</FailureNotice>
      <FilePreview
        ref={controls}
        file={{
          ...file,
          kind: file.kind as FileKind,
          folder,
          facts: null,
          scanResult: 'clean',
        }}
        // On a phone as wide as the card, for the text and for the buttons above it.
        className="-mx-4 h-[80dvh] overflow-clip border-y border-line sm:mx-0 sm:rounded-lg sm:border-x print:hidden"
      />
      <ToastHost />
    </AriaProvider>
  )
}
