import { html } from 'hono/html'
import type { SiteSettings } from '../../../shared/site/site-settings.ts'

/** The content of a mail in reading order; the text and HTML versions say the same. */
export type MailText = {
  subject: string
  greeting: string
  paragraphs: readonly string[]
  /** The button of the mail; its address is also written out. */
  action: { label: string; url: string } | null
  notes: readonly string[]
  /** The sender and the contact for questions. */
  signature: readonly string[]
}

/** What a kind of mail says of its own; the rest is the same in all kinds. */
export type MailTexts = Pick<MailText, 'subject' | 'paragraphs' | 'action' | 'notes'>
/** `url` is the address of the product. */
export type MailSite = Pick<SiteSettings, 'name' | 'email' | 'phone' | 'address' | 'branding'> & {
  url: string
}
/** `choose` returns the text in the form in which the recipient is addressed. */
export type Addressing = { choose: (tu: string, formal: string) => string; site: MailSite }

/**
 * Returns a name that no mail program turns into a link: a zero-width space breaks up everything that looks
 * like an address. Otherwise a name such as `www.…` could place a link in the product's mail.
 */
export const literal = (name: string): string => name.replace(/[.:/@](?=\S)/g, '$&\u200b')

export function renderText({ greeting, paragraphs, action, notes, signature }: MailText): string {
  const actionLines = action ? [`${action.label}:\n${action.url}`] : []
  return [greeting, ...paragraphs, ...actionLines, ...notes, `-- \n${signature.join('\n')}`].join('\n\n')
}

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif"
const TEXT = 'margin:0 0 16px;font-size:16px;line-height:1.55'
const SMALL = 'margin:0 0 12px;font-size:14px;line-height:1.5;color:#566269'

/**
 * Returns the HTML version. Styles are inline because many mail programs read no others; those in the head
 * only set the dark colours.
 */
export async function renderHtml({
  subject,
  greeting,
  paragraphs,
  action,
  notes,
  signature,
}: MailText): Promise<string> {
  const page = await html`<!doctype html>
<html lang="ro">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no">
<title>${subject}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
.page { background: #14181a !important; color: #eef1f2 !important; }
.card { background: #1c2124 !important; border-color: #343b3f !important; }
.small { color: #a9b3b8 !important; }
.action { background: #eef1f2 !important; }
.action a { color: #14181a !important; }
.address { color: #cfd6d9 !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f6f7;color:#1b2327;${FONT};-webkit-text-size-adjust:100%">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="page" style="background:#f4f6f7;color:#1b2327">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;text-align:left">
<tr><td class="card" style="background:#ffffff;border:1px solid #dfe4e6;border-radius:12px;padding:28px 24px 12px;${FONT};overflow-wrap:anywhere">
<p style="${TEXT}">${greeting}</p>
${paragraphs.map((paragraph) => html`<p style="${TEXT}">${paragraph}</p>\n`)}${action && renderAction(action)}
${notes.map((note) => html`<p class="small" style="${SMALL}">${note}</p>\n`)}</td></tr>
<tr><td style="padding:16px 24px;${FONT};overflow-wrap:anywhere">
${signature.map((line) => html`<p class="small" style="margin:0 0 4px;font-size:13px;line-height:1.5;color:#566269">${line}</p>\n`)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
  return String(page)
}

const renderAction = ({ label, url }: { label: string; url: string }) => html`
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 16px">
<tr><td class="action" style="background:#1b2327;border-radius:8px"><a href="${url}" style="display:inline-block;padding:13px 22px;font-size:16px;line-height:1.25;font-weight:600;color:#ffffff;text-decoration:none">${label}</a></td></tr>
</table>
<p class="small" style="${SMALL}">Dacă butonul nu merge, adresa se poate copia în navigator:<br><a class="address" href="${url}" style="color:#33424a;word-break:break-all">${url}</a></p>`
