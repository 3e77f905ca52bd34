/** Who sends the files of a batch; `integration`: a program. */
export const BATCH_SOURCES = ['person', 'integration'] as const
export type BatchSource = (typeof BATCH_SOURCES)[number]

/** By what the groups of a batch are filtered and counted. A group may be in several. */
export const BATCH_FILTERS = [
  'waiting',
  'ready',
  'sure',
  'likely',
  'none',
  'conflict',
  'duplicate',
  'unreadable',
  'refused',
  'filed',
] as const
export type BatchFilter = (typeof BATCH_FILTERS)[number]
