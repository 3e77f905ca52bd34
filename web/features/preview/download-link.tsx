import { FetchError } from 'ofetch'
import type { ComponentProps, MouseEvent } from 'react'
import { explainHttpError, http } from '../../api/http.ts'
import { AnchorButton } from '../../ui/base/button.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'

/**
 * Returns the click handler of a link to a download: it asks first whether the server would give the file, so that a
 * refusal is a message on the page and not a page of its own. With a key held down the browser opens the link itself.
 */
export function askBeforeDownload(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  const { href } = event.currentTarget
  http(href, { method: 'HEAD' }).then(
    () => startDownload(href),
    (error: unknown) =>
      showToast({
        tone: 'error',
        title: 'Fișierul nu a fost descărcat',
        description: explainRefusal(error),
      }),
  )
}

/** An answer to HEAD has no body, so the sentence is found by the status alone. */
function explainRefusal(error: unknown): string | undefined {
  if (error instanceof FetchError && error.status === 404)
    return 'Nu mai este disponibil. Poate a fost retras.'
  return explainHttpError(error) ?? undefined
}

/** With `download` the browser stays on the page also where the answer has become a refusal meanwhile. */
function startDownload(href: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = ''
  link.click()
}

/** A link that looks like a button and downloads a file. */
export function DownloadLink(props: ComponentProps<typeof AnchorButton>) {
  return <AnchorButton icon="download" {...props} onClick={askBeforeDownload} />
}
