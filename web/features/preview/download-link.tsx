import { FetchError } from 'ofetch'
import type { ComponentProps, MouseEvent } from 'react'
import { explainHttpError, http } from '../../api/http.ts'
import { AnchorButton } from '../../ui/base/button.tsx'
import { startDownload } from '../../ui/base/save-file.ts'
import { showToast } from '../../ui/feedback/toast.tsx'

/**
 * Handles a click on a download link: first asks the server whether it allows the download, so that an error
 * is shown on the page instead of replacing the page. With a modifier key the browser opens the link itself.
 */
export function checkBeforeDownload(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  const { href } = event.currentTarget
  http(`${href}/check`).then(
    () => startDownload(href),
    (error: unknown) =>
      showToast({
        tone: 'error',
        title: 'Fișierul nu a fost descărcat',
        description: explainDownloadError(error),
      }),
  )
}

function explainDownloadError(error: unknown): string | undefined {
  if (error instanceof FetchError && error.status === 404)
    return 'Nu mai este disponibil. Poate a fost retras.'
  return explainHttpError(error) ?? undefined
}

/** A link that looks like a button and downloads a file. */
export function DownloadLink(props: ComponentProps<typeof AnchorButton>) {
  return <AnchorButton icon="download" {...props} onClick={checkBeforeDownload} />
}
