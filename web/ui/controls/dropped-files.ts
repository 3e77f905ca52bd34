import type { DirectoryDropItem, DropItem, FileDropItem } from 'react-aria-components'
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

/** Returns what was dropped on the page itself; must be called while the event is handled. */
export const dropItemsOf = ({ items }: DataTransfer): DropItem[] =>
  [...items].flatMap((item) => {
    const entry = item.webkitGetAsEntry()
    if (entry) return itemOfEntry(entry)
    const file = item.getAsFile()
    return file ? itemOfFile(file.name, () => Promise.resolve(file)) : []
  })

const itemOfFile = (name: string, getFile: () => Promise<File>): DropItem => ({
  kind: 'file',
  type: '',
  name,
  getFile,
  getText: async () => (await getFile()).text(),
})

const itemOfEntry = (entry: FileSystemEntry): DropItem =>
  isDirectory(entry)
    ? { kind: 'directory', name: entry.name, getEntries: () => readEntries(entry) }
    : itemOfFile(
        entry.name,
        () => new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)),
      )

const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

async function* readEntries(
  directory: FileSystemDirectoryEntry,
): AsyncGenerator<FileDropItem | DirectoryDropItem> {
  const reader = directory.createReader()
  for (;;) {
    // A call returns some of the entries, and none after the last.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (entries.length === 0) return
    for (const entry of entries) yield itemOfEntry(entry) as FileDropItem | DirectoryDropItem
  }
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
