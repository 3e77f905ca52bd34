import { fileURLToPath } from 'node:url'

/** For the environment of servers that tests start: what one start has compiled the next one reads, as in development. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)),
}
