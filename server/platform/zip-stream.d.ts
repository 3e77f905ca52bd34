declare module 'zip-stream' {
  import type { Transform } from 'node:stream'

  /** The part of the package's interface that the product uses; the package has no types. */
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
