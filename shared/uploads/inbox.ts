/** How far an institution is with a result. */
export type InboxState = 'new' | 'taken' | 'handled'

export const INBOX_STATE_NAMES: Readonly<Record<InboxState, string>> = {
  new: 'nou',
  taken: 'preluat',
  handled: 'rezolvat',
}

/**
 * Which results a view of the inbox has: `open` are new or taken, `mine` those that the reader has taken, `older` those from
 * before the reader joined that nobody has marked.
 */
export const INBOX_VIEWS = ['all', 'open', 'new', 'mine', 'handled', 'older'] as const
export type InboxView = (typeof INBOX_VIEWS)[number]

/** The filters of the inbox, as the address has them; its search is kept out of the address. */
export type InboxFilters = {
  view?: InboxView
  /** The first and the last day of the release, yyyy-MM-dd. */
  since?: string
  until?: string
  category?: string
  doctor?: string
  institution?: string
  /** An id, or `toate`; if absent the user's own departments count. */
  department?: string
}

export const ALL_DEPARTMENTS = 'toate'

/** What a colleague does with results: takes them, puts them back, has handled them, or opens them again. */
export type InboxMark = 'take' | 'put-back' | 'handle' | 'reopen'
