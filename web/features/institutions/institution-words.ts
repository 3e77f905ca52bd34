import type { Delivery } from '../../../shared/setting-bounds.ts'

export const INSTITUTION_KINDS = {
  clinic: 'Clinică',
  hospital: 'Spital',
  laboratory: 'Laborator',
  practice: 'Cabinet medical',
  other: 'Alt tip',
} as const
export type InstitutionKind = keyof typeof INSTITUTION_KINDS

/** When the institution is told of new results. */
export const DELIVERIES = {
  at_once: 'Imediat, câte un e-mail',
  hourly: 'Din oră în oră',
  daily: 'O dată pe zi',
  none: 'Fără e-mail',
} as const satisfies Record<Delivery, string>

export const kindName = (kind: string): string =>
  Object.hasOwn(INSTITUTION_KINDS, kind) ? INSTITUTION_KINDS[kind as InstitutionKind] : kind

export const deliveryName = (delivery: string): string =>
  Object.hasOwn(DELIVERIES, delivery) ? DELIVERIES[delivery as Delivery] : delivery
