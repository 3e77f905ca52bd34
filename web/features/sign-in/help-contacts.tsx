import { formatPhone } from '../../../shared/romania/phone.ts'
import { useSite } from '../../session/use-site.ts'
import { ExternalLink } from '../../ui/base/link.tsx'

/** The contacts of the organisation, if the settings have them. */
export function HelpContacts() {
  const { phone, email, address } = useSite()
  return (
    <>
      {(phone || email) && (
        <p className="mt-5 first:mt-0">
          Ai nevoie de ajutor?{' '}
          {phone && <ExternalLink href={`tel:${phone}`}>{formatPhone(phone)}</ExternalLink>}
          {phone && email && ' sau '}
          {email && <ExternalLink href={`mailto:${email}`}>{email}</ExternalLink>}
        </p>
      )}
      {address && <p className="mt-1.5 break-words">{address}</p>}
    </>
  )
}
