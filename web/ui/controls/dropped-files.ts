import type { DropItem } from 'react-aria-components'
import { isDirectoryDropItem, isFileDropItem } from 'react-aria-components'

/** Where dropped files were in the dropped folders, which the browser gives only for chosen ones. */
const paths = new WeakMap<File, string>()

/** Returns the path of a chosen or dropped file from the folder that was chosen or dropped: `serie/IM1.dcm`. */
export const pathOf = (file: File): string => file.webkitRelativePath || (paths.get(file) ?? file.name)

/** Returns the dropped files in drop order, including the files inside dropped folders. */
export async function collectDroppedFiles(items: readonly DropItem[]): Promise<File[]> {
  const files: File[] = []
  for await (const file of walk(items, '')) files.push(file)
  return files
}

async function* walk(
  items: Iterable<DropItem> | AsyncIterable<DropItem>,
  folder: string,
): AsyncGenerator<File> {
  for await (const item of items) {
    if (isFileDropItem(item)) {
      const file = await item.getFile()
      paths.set(file, folder + file.name)
      yield file
    } else if (isDirectoryDropItem(item)) yield* walk(item.getEntries(), `${folder}${item.name}/`)
  }
}
