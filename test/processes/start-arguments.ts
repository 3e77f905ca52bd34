import { readFileSync } from 'node:fs'

const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const [, compiled, options] = /^NODE_COMPILE_CACHE=(\S+) exec node (.+)$/.exec(scripts.start)!

/** The arguments with which `npm start` runs Node: its options, then the built server. */
export const START_ARGUMENTS: readonly string[] = options!.split(' ')
/** The environment that `npm start` adds: where the compiled code is. */
export const START_ENVIRONMENT = { NODE_COMPILE_CACHE: compiled! }
