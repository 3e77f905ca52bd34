import { client } from '../../api/client.ts'
import { NEW_RECOVERY_CODES } from './own-account.queries.ts'

/** Requests new recovery codes after the second factor was enabled; the old codes become invalid. */
export async function requestRecoveryCodes(): Promise<readonly string[]> {
  const { data } = await client.mutate({ mutation: NEW_RECOVERY_CODES })
  return data?.newRecoveryCodes ?? []
}
