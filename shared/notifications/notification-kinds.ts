/** What the bell in the header counts; each kind can be switched off by a user for themselves. */
export const NOTIFICATION_KINDS = [
  'results',
  'rejected',
  'questions',
  'access_requests',
  'shares',
  'mail',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** What became of a request for access, a share or a mail. */
export const NOTIFICATION_OUTCOMES = ['accepted', 'refused', 'locked', 'ended', 'failed', 'bounced'] as const
export type NotificationOutcome = (typeof NOTIFICATION_OUTCOMES)[number]

/** The names of the kinds; some mean another thing to users of institutions. */
const NAMES: Readonly<Record<NotificationKind, { staff: string; institution: string }>> = {
  results: { staff: 'Rezultate noi', institution: 'Rezultate noi' },
  rejected: { staff: 'Încărcări respinse', institution: 'Trimiteri respinse' },
  questions: { staff: 'Întrebări fără răspuns', institution: 'Răspunsuri necitite' },
  access_requests: { staff: 'Cereri de acces', institution: 'Răspunsuri la cererile de acces' },
  shares: { staff: 'Linkuri blocate sau închise', institution: 'Linkuri blocate sau închise' },
  mail: { staff: 'Mesaje care nu au ajuns', institution: 'Mesaje care nu au ajuns' },
}

export const notificationName = (kind: NotificationKind, isInstitution: boolean): string =>
  NAMES[kind][isInstitution ? 'institution' : 'staff']
