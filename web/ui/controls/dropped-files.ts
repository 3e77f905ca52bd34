import type { DropItem } from 'react-aria-components'
import { isDirectoryDropItem, isFileDropItem } from 'react-aria-components'

/** Returns the dropped files in drop order, including the files inside dropped folders. */
export async function collectDroppedFiles(items: readonly DropItem[]): Promise<File[]> {
  const files: File[] = []
  for await (const file of walk(items)) files.push(file)
  return files
}

async function* walk(items: Iterable<DropItem> | AsyncIterable<DropItem>): AsyncGenerator<File> {
  for await (const item of items) {
    if (isFileDropItem(item)) yield await item.getFile()
    else if (isDirectoryDropItem(item)) yield* walk(item.getEntries())
  }
}
