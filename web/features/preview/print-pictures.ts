/** Removes the pictures that are being printed. */
let removeShown: (() => void) | null = null

/** Prints pictures, each on a page of its own, instead of the page on the screen (web/styles/print.css). */
export async function printPictures(pictures: readonly HTMLImageElement[]): Promise<void> {
  removePictures()
  const container = document.createElement('div')
  container.className = 'print-pictures'
  container.append(...pictures)
  await Promise.all(pictures.map((picture) => picture.decode()))
  const stopped = new AbortController()
  removeShown = () => {
    stopped.abort()
    container.remove()
  }
  document.body.append(container)
  // On phones `print` returns before the pages are printed.
  addEventListener('afterprint', removePictures, { once: true, signal: stopped.signal })
  print()
}

/** Removes what is left of the last printing; a result that was withdrawn is not printed any more. */
export function removePictures(): void {
  removeShown?.()
  removeShown = null
}
