import type { Kysely, KyselyPlugin } from 'kysely'
import { type Actor, type Ctx, createContext } from '../../server/context.ts'
import type { Db } from '../../server/platform/database/database.ts'
import type { DB } from '../../server/platform/database/types.generated.ts'
import { newId } from '../../server/platform/ids.ts'
import type { TestServer } from '../test-server.ts'

export const CRASH = new Error('crash')

/** A context whose database throws CRASH after this many statements, as if the server ended there; never for null. */
export function createCrashContext<A extends Actor>(
  { services }: Pick<TestServer, 'services'>,
  actor: A,
  crashAt: number | null,
): Ctx<A> {
  const request = { id: newId(), ip: null, userAgent: null, origin: 'web' } as const
  const context = createContext(services, actor, request)
  if (crashAt === null) return context
  let statements = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements += 1
      if (statements > crashAt) throw CRASH
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { ...context, db: (context.db as Kysely<DB>).withPlugin(plugin) as Db }
}
