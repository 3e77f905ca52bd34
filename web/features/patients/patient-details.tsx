import { CHANNEL_NAMES } from '../../../shared/patients.ts'
import { formatPhone } from '../../../shared/romania/phone.ts'
import { Card } from '../../ui/base/card.tsx'
import { ExternalLink } from '../../ui/base/link.tsx'
import { DescriptionList } from '../../ui/page/description-list.tsx'
import type { Patient } from './patients.queries.ts'

export function PatientDetailsCard({ patient }: { patient: Patient }) {
  const { phone, email, address, locality, county } = patient
  const fullAddress = [address, locality, county].filter(Boolean).join(', ')
  return (
    <Card title="Date de contact">
      <DescriptionList
        items={[
          {
            label: 'Telefon',
            value: phone && <ExternalLink href={`tel:${phone}`}>{formatPhone(phone)}</ExternalLink>,
          },
          { label: 'E-mail', value: email && <ExternalLink href={`mailto:${email}`}>{email}</ExternalLink> },
          { label: 'Adresă', value: fullAddress, isWide: true },
          ...(patient.previousSurname ? [{ label: 'Nume anterior', value: patient.previousSurname }] : []),
          ...(patient.preferredChannel
            ? [{ label: 'Cum preferă să fie anunțat', value: CHANNEL_NAMES[patient.preferredChannel] }]
            : []),
          ...(patient.notes
            ? [
                {
                  label: 'Note',
                  value: <span className="whitespace-pre-line">{patient.notes}</span>,
                  isWide: true,
                },
              ]
            : []),
        ]}
      />
    </Card>
  )
}
