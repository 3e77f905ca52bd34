import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import ZipStream from 'zip-stream'

/** Returns a ZIP of these entries, the same bytes for the same input; `at` is the time of each entry. */
export async function makeZip(
  entries: readonly { name: string; bytes: Buffer }[],
  at: Date,
): Promise<Buffer> {
  const zip = new ZipStream({ store: true })
  const whole = buffer(zip)
  for (const { name, bytes } of entries) {
    await new Promise<void>((resolve, reject) => {
      zip.entry(Readable.from(bytes), { name, date: at }, (error) => (error ? reject(error) : resolve()))
    })
  }
  zip.finalize()
  return whole
}
