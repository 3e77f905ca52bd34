/**
 * Why a result is counted in a mail to a user of its institution: it is `new`, nobody has opened it (`reminder`), staff
 * have asked to announce it again (`resent`), or it is not valid any more (`recall`).
 */
export const ANNOUNCEMENT_KINDS = ['new', 'reminder', 'resent', 'recall'] as const
export type AnnouncementKind = (typeof ANNOUNCEMENT_KINDS)[number]
