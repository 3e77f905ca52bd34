import { posix } from 'node:path'
import sax from 'sax'
import { type Entry, fromBufferPromise, fromFdPromise, type ZipFile } from 'yauzl'
import { processorSeconds } from '../../../../platform/processor-seconds.ts'
import type { OpenedFile } from '../../../../platform/sandbox/opened-file.ts'
import type { SandboxLimits } from '../../../../platform/sandbox/sandbox.ts'

/** Attributes by their local names. */
type Attributes = Readonly<Record<string, string>>

/** Called with local names, since documents choose the prefixes of their namespaces. */
export type XmlEvents = {
  open?(name: string, attributes: Attributes): void
  text?(text: string): void
  close?(name: string): void
}

export type OfficeParts = {
  /** The names of the parts, in their order in the archive. */
  names: readonly string[]
  /** Reads a part from its beginning, as far as the limits allow; a part that is missing is empty. Throws for malformed XML. */
  parse(name: string, events: XmlEvents): Promise<void>
  /** Whether everything was read that was asked for. */
  isWhole(): boolean
  /** Ends the reading, because there is more text than is kept. */
  stop(): void
  /** Notes that a text was kept only in part. */
  noteCut(): void
}

/** Unpacked bytes that are read of a document in all. */
const MAX_BYTES = 256 * 1024 ** 2
const PART_OF_TIME = 1 / 2

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Opens the parts of a Word or Excel document, whose archive was examined before. */
export async function openOffice(file: OpenedFile | Buffer, limits: SandboxLimits): Promise<OfficeParts> {
  const options = { strictFileNames: true, autoClose: false }
  const zip = Buffer.isBuffer(file)
    ? await fromBufferPromise(file, options)
    : await fromFdPromise(file.descriptor, options)
  const entries = new Map<string, Entry>()
  // Case does not count in the names of parts.
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry)
  const deadline = limits.seconds * PART_OF_TIME
  let remaining = MAX_BYTES
  let isStopped = false
  let isCut = false
  return {
    names: [...entries.values()].map(({ fileName }) => fileName),
    isWhole: () => !isStopped && !isCut,
    stop: () => {
      isStopped = true
    },
    noteCut: () => {
      isCut = true
    },
    parse: async (name, events) => {
      const entry = entries.get(name.toLowerCase())
      if (!entry) return
      const parser = createParser(events)
      for await (const text of decodeEntry(zip, entry)) {
        remaining -= text.length
        if (remaining < 0 || processorSeconds() > deadline) isStopped = true
        if (isStopped) return
        parser.write(text)
      }
      parser.close()
    },
  }
}

/** A relationship of a part: `type` is the last word of its type, `target` the name of another part. */
export type Relation = { id: string; type: string; target: string }

/** Returns where the relationships of a part lead, those of the whole document for an empty name. */
export async function readRelations(office: OfficeParts, part: string): Promise<Relation[]> {
  const { dir, base } = posix.parse(part)
  const relations: Relation[] = []
  await office.parse(posix.join(dir, '_rels', `${base}.rels`), {
    open: (_tag, { Id: id = '', Type: type = '', Target: target = '' }) =>
      relations.push({
        id,
        type: type.slice(type.lastIndexOf('/') + 1),
        target: posix.resolve('/', dir, target).slice(1),
      }),
  })
  return relations
}

/** Returns the part that programs open as the document; there may be others with names like it. */
export const findMainPart = async (office: OfficeParts, usual: string): Promise<string> =>
  (await readRelations(office, '')).find(({ type }) => type === 'officeDocument')?.target ?? usual

function createParser({ open, text, close }: XmlEvents) {
  const parser = sax.parser(true)
  parser.onerror = (error) => {
    throw error
  }
  parser.onopentag = ({ name, attributes }) => {
    if (!open) return
    const entries = Object.entries(attributes).map(([key, value]) => [localName(key), String(value)])
    open(localName(name), Object.fromEntries(entries))
  }
  if (text) {
    parser.ontext = text
    parser.oncdata = text
  }
  parser.onclosetag = (name) => close?.(localName(name))
  return parser
}

/** Returns the text of a part; one in UTF-16 begins with a byte order mark. */
async function* decodeEntry(zip: ZipFile, entry: Entry): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    const bytes = chunk as Buffer
    decoder ??= new TextDecoder(encodingOf(bytes))
    yield decoder.decode(bytes, { stream: true })
  }
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}
