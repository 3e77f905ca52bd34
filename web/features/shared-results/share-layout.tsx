import type { ReactNode } from 'react'
import { formatPhone } from '../../../shared/romania/phone.ts'
import { NonAdminLayout } from '../../layouts/non-admin-layout.tsx'
import { useSite } from '../../session/use-site.ts'
import { ExternalLink } from '../../ui/base/link.tsx'

/** The layout of the pages for recipients, with the name and the contacts of the organisation. */
export function ShareLayout({ title, children }: { title: string; children: ReactNode }) {
  const { name, logo, branding } = useSite()
  return (
    <NonAdminLayout brand={{ name, logoUrl: logo, isBranded: branding }} footer={<Contacts />}>
      <h1 className="mb-5 text-2xl font-semibold tracking-tight text-balance">{title}</h1>
      {children}
    </NonAdminLayout>
  )
}

function Contacts() {
  const { name, phone, email, address } = useSite()
  return (
    <address className="grid gap-1.5 break-words not-italic">
      <p className="font-medium text-ink">{name}</p>
      {address && <p>{address}</p>}
      {phone && (
        <p>
          Telefon: <ExternalLink href={`tel:${phone}`}>{formatPhone(phone)}</ExternalLink>
        </p>
      )}
      {email && (
        <p>
          E-mail: <ExternalLink href={`mailto:${email}`}>{email}</ExternalLink>
        </p>
      )}
    </address>
  )
}
