/** The kinds of news about a patient, in the order in which they are shown. */
export const NEWS_KINDS = ['warning', 'news', 'note'] as const
export type NewsKind = (typeof NEWS_KINDS)[number]

export const NEWS_KIND_NAMES: Readonly<Record<NewsKind, string>> = {
  warning: 'Avertizare',
  news: 'Noutate',
  note: 'Notă',
}

/** Who reads news about a patient; each also has the readers of those before it. */
export const NEWS_VISIBILITIES = ['staff', 'institution', 'patient'] as const
export type NewsVisibility = (typeof NEWS_VISIBILITIES)[number]

export const NEWS_VISIBILITY_NAMES: Readonly<Record<NewsVisibility, string>> = {
  staff: 'Doar personalul',
  institution: 'Personalul și instituțiile',
  patient: 'Personalul, instituțiile și pacientul',
}

/** Whether somebody reads it at `to` who does not at `from`. What is new is `staff` before. */
export const isWider = (from: NewsVisibility, to: NewsVisibility): boolean =>
  NEWS_VISIBILITIES.indexOf(to) > NEWS_VISIBILITIES.indexOf(from)
