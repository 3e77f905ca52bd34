import { formatPhone } from '../../../shared/phone.ts'
import type { Fact } from '../../ui/description-list.tsx'
import { ExternalLink } from '../../ui/link.tsx'
import { deliveryName } from './institution-words.ts'
import type { InstitutionFacts } from './institutions.queries.ts'

/** What is known of an institution, in words. */
export const listFacts = (institution: InstitutionFacts): Fact[] => [
  { label: 'Denumire scurtă', value: institution.shortName },
  { label: 'CUI', value: institution.cui },
  { label: 'Registrul comerțului', value: institution.tradeRegister },
  { label: 'Județ', value: institution.county },
  { label: 'Localitate', value: institution.locality },
  { label: 'Adresă', value: institution.address },
  {
    label: 'Telefon',
    value: institution.phone && (
      <ExternalLink href={`tel:${institution.phone}`}>{formatPhone(institution.phone)}</ExternalLink>
    ),
  },
  {
    label: 'E-mail',
    value: institution.email && (
      <ExternalLink href={`mailto:${institution.email}`}>{institution.email}</ExternalLink>
    ),
  },
  {
    label: 'Anunțarea rezultatelor',
    value: `${deliveryName(institution.delivery)} (încă nu se trimit mesaje)`,
  },
  { label: 'Poate trimite fișiere', value: institution.mayUpload ? 'Da (încă nu are efect)' : 'Nu' },
  {
    label: 'Persoane de contact',
    value: institution.contacts && <span className="whitespace-pre-line">{institution.contacts}</span>,
    isWide: true,
  },
]
