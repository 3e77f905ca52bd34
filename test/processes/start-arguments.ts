import { readFileSync } from 'node:fs'

const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** The arguments with which `npm start` runs Node: its options, then the built server. */
export const START_ARGUMENTS: readonly string[] = scripts.start.replace(/^exec node /, '').split(' ')
