import { client } from '../../api/client.ts'
import { NEW_RECOVERY_CODES } from './own-account.queries.ts'

/** New recovery codes for somebody who has just set up the second factor; the old ones are void. */
export async function requestRecoveryCodes(): Promise<readonly string[]> {
  const { data } = await client.mutate({ mutation: NEW_RECOVERY_CODES, variables: {} })
  return data?.newRecoveryCodes ?? []
}
