declare module 'zip-stream' {
  import type { Transform } from 'node:stream'

  /** As much of the package's interface as is used here; it brings no types of its own. */
  export default class ZipStream extends Transform {
    constructor(options: { store: boolean })
    entry(
      source: NodeJS.ReadableStream,
      data: { name: string; date: Date },
      callback: (error: Error | null) => void,
    ): this
    finalize(): void
  }
}
