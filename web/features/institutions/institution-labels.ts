import { DELIVERY_NAMES, type Delivery } from '../../../shared/site/setting-bounds.ts'

export const INSTITUTION_KINDS = {
  clinic: 'Clinică',
  hospital: 'Spital',
  laboratory: 'Laborator',
  practice: 'Cabinet medical',
  other: 'Alt tip',
} as const
export type InstitutionKind = keyof typeof INSTITUTION_KINDS

export const kindName = (kind: string): string =>
  Object.hasOwn(INSTITUTION_KINDS, kind) ? INSTITUTION_KINDS[kind as InstitutionKind] : kind

export const deliveryName = (delivery: string): string =>
  Object.hasOwn(DELIVERY_NAMES, delivery) ? DELIVERY_NAMES[delivery as Delivery] : delivery
