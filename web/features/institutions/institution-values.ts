import type { Delivery } from '../../../shared/site/setting-bounds.ts'
import type { InstitutionDetails } from './institutions.queries.ts'

/** The values of the form of an institution. */
export type InstitutionValues = {
  name: string
  shortName: string
  kind: string
  code: string
  cui: string
  tradeRegister: string
  county: string
  locality: string
  address: string
  phone: string
  email: string
  contacts: string
  delivery: string
  mayUpload: boolean
}

/** Returns the form's values for an institution; the default values if it is null. */
export const readValues = (
  institution: InstitutionDetails | null,
  delivery: Delivery = 'at_once',
): InstitutionValues => ({
  name: institution?.name ?? '',
  shortName: institution?.shortName ?? '',
  kind: institution?.kind ?? '',
  code: institution?.code ?? '',
  cui: institution?.cui ?? '',
  tradeRegister: institution?.tradeRegister ?? '',
  county: institution?.county ?? '',
  locality: institution?.locality ?? '',
  address: institution?.address ?? '',
  phone: institution?.phone ?? '',
  email: institution?.email ?? '',
  contacts: institution?.contacts ?? '',
  delivery: institution?.delivery ?? delivery,
  mayUpload: institution?.mayUpload ?? false,
})
