import type { Feature } from '../../shared/access/features.ts'
import { forbidden } from '../errors.ts'

/** Made once: an error with its stack for each field of each row would cost more than the rows. */
const HIDDEN = forbidden('hidden field')

const forStaff = { authScopes: { staff: true }, unauthorizedError: () => HIDDEN } as const

/** A field for staff, which is null for all other readers. */
export const staffOrNull = { ...forStaff, unauthorizedResolver: () => null } as const

/** A list for staff, which is empty for all other readers. */
export const staffOrEmpty = { ...forStaff, unauthorizedResolver: () => [] }

/** A field that is null for readers without the feature. */
export const featureOrNull = (feature: Feature) => ({
  authScopes: { feature },
  unauthorizedError: () => HIDDEN,
  unauthorizedResolver: () => null,
})
