import type { FetchOptions } from 'ofetch'
import { EXPORT_CUT } from '../../shared/csv/csv-exports.ts'
import { getTokenFor } from '../session/token/token-for.ts'
import { withFreshProof } from './fresh-proof.ts'
import { FILE_TIMEOUT_MS, http } from './http.ts'

/** Returns a list as a file, after a fresh proof where the server asks for one; `isCut`: the list has more rows. */
export async function fetchExport(
  path: string,
  filter: Pick<FetchOptions, 'method' | 'query' | 'body'>,
): Promise<{ file: Blob; isCut: boolean }> {
  const { _data: file, headers } = await withFreshProof(async () =>
    http.raw<Blob, 'blob'>(path, {
      ...filter,
      headers: { authorization: `Bearer ${await getTokenFor('export')}` },
      responseType: 'blob',
      timeoutMs: FILE_TIMEOUT_MS,
    }),
  )
  return { file: file as Blob, isCut: headers.get(EXPORT_CUT) !== null }
}
