import { formatPhone } from '../../../shared/romania/phone.ts'
import { DELIVERY_NAMES } from '../../../shared/site/setting-bounds.ts'
import { ExternalLink } from '../../ui/base/link.tsx'
import type { Description } from '../../ui/page/description-list.tsx'
import type { InstitutionDetails } from './institutions.queries.ts'

/** Returns the details of an institution for a description list. */
export const listInstitutionDetails = (institution: InstitutionDetails): Description[] => [
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
    value: DELIVERY_NAMES[institution.delivery],
  },
  { label: 'Poate trimite fișiere', value: institution.mayUpload ? 'Da' : 'Nu' },
  {
    label: 'Persoane de contact',
    value: institution.contacts && <span className="whitespace-pre-line">{institution.contacts}</span>,
    isWide: true,
  },
]
