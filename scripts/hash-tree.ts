import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { ROOT } from '../server/http/pages/front-end.ts'
import { hashSources } from '../server/platform/sandbox/built-workers.ts'

/** Returns a hash of these files, and of all files in these folders, by their paths in the product's folder. */
export async function hashTree(paths: readonly string[]): Promise<string> {
  const files = await Promise.all(paths.map(listFiles))
  return hashSources(ROOT, files.flat().toSorted())
}

async function listFiles(path: string): Promise<string[]> {
  const absolute = join(ROOT, path)
  if (!(await stat(absolute)).isDirectory()) return [path]
  const entries = await readdir(absolute, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
}
