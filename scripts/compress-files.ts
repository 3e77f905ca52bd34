import { glob, readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

const COMPRESSED = '**/*.{css,js,json,mjs,svg,txt}'

/** Writes `<file>.br` (quality 11, the default) and `<file>.gz` (level 9) beside each text file of a folder. */
export async function compressFiles(folder: string): Promise<void> {
  const compressing: Promise<void>[] = []
  for await (const name of glob(COMPRESSED, { cwd: folder }))
    compressing.push(compressFile(`${folder}/${name}`))
  await Promise.all(compressing)
}

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path)
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes))
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}
