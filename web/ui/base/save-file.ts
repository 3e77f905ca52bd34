/** Has the browser save these bytes as a file of this name. */
export function saveFile(bytes: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(bytes)
  link.download = name
  link.click()
  // Deferred because the browser starts the download only after this task.
  setTimeout(() => URL.revokeObjectURL(link.href))
}

/** Downloads from an address. With `download` the browser stays on the page even if the download is denied by then. */
export function startDownload(href: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = ''
  link.click()
}
