import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Rolldown } from 'vite'
import { ENCODERS } from '../server/http/static-files.ts'
import { publicDir } from '../vite.config.ts'

/** JavaScript in bytes as the server sends it: each file compressed by itself. */
export interface Weight {
  gzip: number
  br: number
}

/** The JavaScript of a build: its chunks and which of them load which. */
export interface ChunkGraph {
  /** The chunk that holds a module, by the module's path from the root of the sources. */
  find(module: string): string
  /** These chunks and what they load, at once or also when they ask for it; nothing that is there, or comes through it. */
  reach(from: Iterable<string>, follow: 'imports' | 'all', there?: ReadonlySet<string>): Set<string>
  /** Of chunks, and of files that the build takes over as they are. */
  weigh(fileNames: Iterable<string>): Promise<Weight>
}

export function readChunks({ output }: Rolldown.RolldownOutput): ChunkGraph {
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])))
  const weights = new Map<string, Weight>()
  const weighOne = async (fileName: string): Promise<Weight> => {
    const known = weights.get(fileName)
    if (known) return known
    const code = chunks.has(fileName)
      ? Buffer.from(chunks.get(fileName)!.code)
      : await readFile(join(publicDir, fileName))
    const weight = { gzip: (await ENCODERS.gzip(code)).length, br: (await ENCODERS.br(code)).length }
    weights.set(fileName, weight)
    return weight
  }
  return {
    find: (module) => {
      const id = resolve(module)
      for (const [fileName, { facadeModuleId, moduleIds }] of chunks)
        if (facadeModuleId === id || moduleIds.includes(id)) return fileName
      throw new Error(`no chunk holds ${module}`)
    },
    reach: (from, follow, there = new Set()) => {
      const seen = new Set(from).difference(there)
      for (const fileName of seen) {
        const { imports = [], dynamicImports = [] } = chunks.get(fileName) ?? {}
        for (const next of follow === 'all' ? [...imports, ...dynamicImports] : imports)
          if (!there.has(next)) seen.add(next)
      }
      return seen
    },
    weigh: async (fileNames) => {
      const sum = { gzip: 0, br: 0 }
      for (const fileName of fileNames) {
        const { gzip, br } = await weighOne(fileName)
        sum.gzip += gzip
        sum.br += br
      }
      return sum
    },
  }
}
