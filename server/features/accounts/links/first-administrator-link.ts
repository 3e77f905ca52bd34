import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../../config.ts'

const FILE = 'first-administrator-link'

/**
 * Writes the first administrator's link into a file of the data folder that only the product's user can read, and
 * returns the text for the operator: with the link for a terminal, else with the file's path, since the output
 * may be kept in a log. Without a link deletes the file of an earlier start and returns an empty text.
 */
export async function writeFirstAdministratorLink(
  { url, dataDir }: Pick<Config, 'url' | 'dataDir'>,
  administrator: { email: string; token: string } | null,
  isTerminal: boolean,
): Promise<string> {
  const path = join(dataDir, FILE)
  await rm(path, { force: true })
  if (!administrator) return ''
  const link = `${url}/cont/${administrator.token}`
  await writeFile(path, `${link}\n`, { mode: 0o600, flag: 'wx' })
  return `First administrator (${administrator.email}), once and within a day: ${isTerminal ? link : `the link is in ${path}`}`
}
