import { describe, expect, it } from 'vitest'
import type { NotificationKind } from '../../../shared/notifications/notification-kinds.ts'
import { describeNotification, listOf, type Reader } from './describe-notification.ts'
import { describeCount } from './notification-bell.tsx'
import type { Notification } from './notifications.queries.ts'

const STAFF: Reader = { isInstitution: false, isAdmin: false }
const ADMIN: Reader = { isInstitution: false, isAdmin: true }
const CLERK: Reader = { isInstitution: true, isAdmin: false }

const item = (over: Partial<Notification>): Notification => ({
  id: 'x',
  at: '2026-11-27T10:00:00.000Z',
  isNew: true,
  uploadId: null,
  number: null,
  categorySlug: null,
  institutionId: null,
  institutionName: null,
  patientId: null,
  shareId: null,
  recipientKind: null,
  mailKind: null,
  outcome: null,
  ...over,
})

it.each([
  [0, 'Nicio noutate'],
  [1, '1 noutate'],
  [3, '3 noutăți'],
  [19, '19 noutăți'],
  [20, '20 de noutăți'],
  [99, '99 de noutăți'],
  [100, 'peste 99 de noutăți'],
])('the bell with %i says „%s”', (count, label) => {
  expect(describeCount(count)).toBe(label)
})

describe('a notification opens', () => {
  it.each<[Notification, NotificationKind, Reader, unknown]>([
    [item({ uploadId: 'x' }), 'results', CLERK, { to: '/institution', search: { upload: 'x' } }],
    [item({ uploadId: 'x' }), 'rejected', STAFF, { to: '/uploads/$uploadId', params: { uploadId: 'x' } }],
    [
      item({ uploadId: 'x' }),
      'rejected',
      CLERK,
      { to: '/institution', search: { tab: 'trimite', row: 'x' } },
    ],
    [item({ uploadId: 'u' }), 'questions', STAFF, { to: '/uploads/$uploadId', params: { uploadId: 'u' } }],
    [
      item({ uploadId: 'u' }),
      'questions',
      CLERK,
      { to: '/institution', search: { tab: 'intrebari', question: 'x' } },
    ],
    [item({}), 'access_requests', STAFF, { to: '/institutions', search: { tab: 'cereri', request: 'x' } }],
    [item({}), 'access_requests', CLERK, { to: '/institution', search: { tab: 'cereri', row: 'x' } }],
    [
      item({ patientId: 'p', shareId: 'x' }),
      'shares',
      STAFF,
      { to: '/patients/$patientId', params: { patientId: 'p' }, search: { share: 'x' } },
    ],
    [
      item({ patientId: 'p', shareId: 's', mailKind: 'share' }),
      'mail',
      STAFF,
      { to: '/patients/$patientId', params: { patientId: 'p' }, search: { share: 's' } },
    ],
    [
      item({ institutionId: 'i', mailKind: 'results' }),
      'mail',
      STAFF,
      { to: '/institutions/$institutionId', params: { institutionId: 'i' }, search: { tab: 'rezultate' } },
    ],
    [
      item({ mailKind: 'share' }),
      'mail',
      ADMIN,
      { to: '/admin', search: { tab: 'mesaje', undelivered: true } },
    ],
    [item({ mailKind: 'share' }), 'mail', STAFF, null],
  ])('its own thing (%#)', (notification, kind, reader, target) => {
    expect(describeNotification(kind, notification, reader, () => null).target).toEqual(target)
  })

  it('and its list is on the screens of the same reader', () => {
    for (const kind of ['results', 'rejected', 'questions', 'access_requests'] as const)
      expect(listOf(kind, CLERK)?.to).toBe('/institution')
    expect(listOf('mail', STAFF)).toBeNull()
    expect(listOf('shares', STAFF)?.to).toBe('/patients')
  })
})
