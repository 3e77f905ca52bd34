import { MAIL_KIND_NAMES, type MailKind } from '../../../shared/messages/mail-kinds.ts'
import type { NotificationKind } from '../../../shared/notifications/notification-kinds.ts'
import { SHARE_RECIPIENT_NAMES } from '../../../shared/shares/shares.ts'
import type { IconName } from '../../ui/base/icon.tsx'
import type { LinkTarget } from '../../ui/base/link.tsx'
import type { Notification } from './notifications.queries.ts'

/** Who reads: staff and users of institutions have different screens. */
export type Reader = { isInstitution: boolean; isAdmin: boolean }

export const NOTIFICATION_ICONS: Readonly<Record<NotificationKind, IconName>> = {
  results: 'inbox',
  rejected: 'file-x',
  questions: 'help',
  access_requests: 'user-plus',
  shares: 'share',
  mail: 'envelope',
}

/** Returns the list that a kind comes from; null if the reader has none. */
export function listOf(kind: NotificationKind, { isInstitution, isAdmin }: Reader): LinkTarget | null {
  switch (kind) {
    case 'results':
      return { to: '/institution', search: { view: 'new' } }
    case 'rejected':
      return isInstitution ? { to: '/institution', search: { tab: 'trimite' } } : { to: '/bulk' }
    case 'questions':
      return { to: isInstitution ? '/institution' : '/institutions', search: { tab: 'intrebari' } }
    case 'access_requests':
      return { to: isInstitution ? '/institution' : '/institutions', search: { tab: 'cereri' } }
    case 'mail':
      return isAdmin ? { to: '/admin', search: { tab: 'mesaje', undelivered: true } } : null
    case 'shares':
      return { to: '/patients', search: { tab: 'linkuri' } }
  }
}

type Described = { title: string; detail: string | null; target: LinkTarget | null }

/** Returns what a notification says, without naming a patient, and the thing that it opens. */
export function describeNotification(
  kind: NotificationKind,
  item: Notification,
  reader: Reader,
  categoryName: (slug: string) => string | null,
): Described {
  const { id, uploadId, number, institutionName, outcome } = item
  const upload = uploadId ? ({ to: '/uploads/$uploadId', params: { uploadId } } as const) : null
  switch (kind) {
    case 'results':
      return {
        title: `Rezultatul nr. ${number}`,
        detail: item.categorySlug && categoryName(item.categorySlug),
        target: { to: '/institution', search: { upload: id } },
      }
    case 'rejected':
      return reader.isInstitution
        ? {
            title: `Trimiterea nr. ${number} a fost respinsă`,
            detail: null,
            target: { to: '/institution', search: { tab: 'trimite', row: id } },
          }
        : { title: `Încărcarea nr. ${number} a fost respinsă`, detail: null, target: upload }
    case 'questions':
      return reader.isInstitution
        ? {
            title: `Răspuns despre rezultatul nr. ${number}`,
            detail: institutionName,
            target: { to: '/institution', search: { tab: 'intrebari', question: id } },
          }
        : { title: `Întrebare despre rezultatul nr. ${number}`, detail: institutionName, target: upload }
    case 'access_requests':
      return reader.isInstitution
        ? {
            title:
              outcome === 'accepted' ? 'Cererea de acces este acceptată' : 'Cererea de acces este refuzată',
            detail: institutionName,
            target: { to: '/institution', search: { tab: 'cereri', row: id } },
          }
        : {
            title: 'Cerere de acces la un pacient',
            detail: institutionName,
            target: { to: '/institutions', search: { tab: 'cereri', request: id } },
          }
    case 'shares':
      return {
        title:
          outcome === 'ended'
            ? 'Link închis după zece dovezi greșite'
            : 'Link blocat un timp după cinci dovezi greșite',
        detail: item.recipientKind && `Pentru ${SHARE_RECIPIENT_NAMES[item.recipientKind]}`,
        target: shareOf(item),
      }
    case 'mail':
      return {
        title: mailName(item.mailKind ?? ''),
        detail:
          outcome === 'bounced' ? 'Adresa nu există sau refuză mesajul' : 'Nu se mai încearcă trimiterea',
        target: reader.isAdmin
          ? listOf(kind, reader)
          : (shareOf(item) ??
            (item.institutionId
              ? {
                  to: '/institutions/$institutionId',
                  params: { institutionId: item.institutionId },
                  search: { tab: 'rezultate' },
                }
              : null)),
      }
  }
}

const shareOf = ({ patientId, shareId }: Notification): LinkTarget | null =>
  patientId && shareId
    ? { to: '/patients/$patientId', params: { patientId }, search: { share: shareId } }
    : null

const mailName = (kind: string): string =>
  Object.hasOwn(MAIL_KIND_NAMES, kind) ? MAIL_KIND_NAMES[kind as MailKind] : 'Mesaj'
