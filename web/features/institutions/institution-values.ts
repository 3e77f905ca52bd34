import type { InstitutionKind } from '../../../shared/institutions.ts'
import type { Accent } from '../../../shared/site/accents.ts'
import type { Delivery } from '../../../shared/site/setting-bounds.ts'
import type { InstitutionDetails } from './institutions.queries.ts'

export const SAVED_MESSAGE = 'Datele instituției au fost salvate.'

/** The values of the form of an institution. */
export type InstitutionValues = {
  name: string
  shortName: string
  /** Null while none is chosen; the form requires one. */
  kind: InstitutionKind | null
  code: string
  cui: string
  tradeRegister: string
  county: string
  locality: string
  address: string
  phone: string
  email: string
  contacts: string
  delivery: Delivery
  mayUpload: boolean
  accent: Accent | null
  /** The address of the picture; empty without one. */
  logo: string
}

/** Returns the form's values for an institution; the default values if it is null. */
export const readValues = (
  institution: InstitutionDetails | null,
  delivery: Delivery = 'at_once',
): InstitutionValues => ({
  name: institution?.name ?? '',
  shortName: institution?.shortName ?? '',
  kind: institution?.kind ?? null,
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
  accent: institution?.accent ?? null,
  logo: institution?.logo ?? '',
})
