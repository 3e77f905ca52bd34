import { MAIL_KIND_NAMES, type MailKind } from '../../../shared/messages/mail-kinds.ts'
import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { findSite } from '../site/find-site.ts'
import { renderText } from './mail-layout.ts'
import { type MailContent, type Recipient, writeMail } from './mail-templates.ts'
import { canManageMessages } from './messages.access.ts'

/** A kind of mail as it would be written today, with invented data. */
export type MailPreview = { kind: MailKind; name: string; subject: string; text: string }

const STAFF: Recipient = { name: 'Ilinca Exemplu', role: 'staff' }
const OF_INSTITUTION: Recipient = { name: 'Ana Exemplu', role: 'institution' }
const ADMINISTRATOR: Recipient = { name: 'Radu Exemplu', role: 'admin' }

/** Of a share: the mail does not have the name. */
const RECIPIENT: Recipient = { name: '', role: null }

type Example = { to: Recipient; content: MailContent }

/** Returns a mail of each kind; no link in them works. */
export const exampleMails = (url: string, at: Date): { [K in MailKind]: Example } => ({
  invitation: {
    to: OF_INSTITUTION,
    content: { kind: 'invitation', inviter: 'Radu Exemplu', link: `${url}/cont/exemplu` },
  },
  reset: { to: STAFF, content: { kind: 'reset', link: `${url}/cont/exemplu` } },
  'password-changed': { to: STAFF, content: { kind: 'password-changed', at } },
  'recovery-codes': { to: STAFF, content: { kind: 'recovery-codes', at } },
  'passkey-added': { to: STAFF, content: { kind: 'passkey-added', passkey: 'Telefon', at } },
  'passkey-removed': { to: STAFF, content: { kind: 'passkey-removed', passkey: 'Telefon', at } },
  'address-changed': { to: STAFF, content: { kind: 'address-changed', isNew: true, by: 'Radu Exemplu' } },
  'sign-in-blocked': { to: STAFF, content: { kind: 'sign-in-blocked', failures: 100 } },
  'deletion-request': {
    to: OF_INSTITUTION,
    content: { kind: 'deletion-request', uploadNumber: 12_345_678, releasedAt: at },
  },
  'incident-opened': {
    to: ADMINISTRATOR,
    content: {
      kind: 'incident-opened',
      incidentId: 'exemplu',
      incidentNumber: 1,
      uploadNumber: 12_345_678,
      discoveredAt: at,
    },
  },
  results: {
    to: OF_INSTITUTION,
    content: { kind: 'results', institution: 'Clinica Exemplu', fresh: 3, unopened: 2, recalled: 1 },
  },
  'mail-failed': {
    to: STAFF,
    content: { kind: 'mail-failed', failed: 'invitation', at, code: '550', path: '' },
  },
  problems: {
    to: ADMINISTRATOR,
    content: { kind: 'problems', isChainBroken: true, haveJobsFailed: true },
  },
  share: {
    to: RECIPIENT,
    content: { kind: 'share', link: `${url}/s/exemplu`, expiresAt: at, proof: 'birth_date' },
  },
  'share-code': { to: RECIPIENT, content: { kind: 'share-code', code: '123456' } },
  'share-ended': { to: STAFF, content: { kind: 'share-ended', link: url, at } },
  'share-recalled': { to: RECIPIENT, content: { kind: 'share-recalled', isReplaced: false } },
  test: { to: ADMINISTRATOR, content: { kind: 'test' } },
})

/** Returns each kind of mail as the site would write it now, with invented data, for administrators. */
export async function previewMails(ctx: UserCtx): Promise<MailPreview[]> {
  if (!canManageMessages(ctx.actor)) throw forbidden('preview mails')
  const site = await findSite(ctx.db)
  const url = site.url || ctx.services.config.url
  return Object.values(exampleMails(url, ctx.now)).map(({ to, content }) => {
    const mail = writeMail(content, to, { ...site, url })
    return {
      kind: content.kind,
      name: MAIL_KIND_NAMES[content.kind],
      subject: mail.subject,
      text: renderText(mail),
    }
  })
}
