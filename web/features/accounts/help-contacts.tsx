import { formatPhone } from '../../../shared/phone.ts'
import { site } from '../../session/site.ts'
import { ExternalLink } from '../../ui/link.tsx'

/** Whom to ask, where the site says it. */
export function HelpContacts() {
  if (!site.phone && !site.email) return null
  return (
    <p className="mt-5 first:mt-0">
      Ai nevoie de ajutor?{' '}
      {site.phone && <ExternalLink href={`tel:${site.phone}`}>{formatPhone(site.phone)}</ExternalLink>}
      {site.phone && site.email && ' sau '}
      {site.email && <ExternalLink href={`mailto:${site.email}`}>{site.email}</ExternalLink>}
    </p>
  )
}
