/** The three roles [1.2]. An institution is represented by its users. */
export const ROLES = ['admin', 'staff', 'institution'] as const
export type Role = (typeof ROLES)[number]

/** Institutions are addressed as *dumneavoastră*, staff and administrators as *tu*. */
export const isAddressedFormally = (role: Role): boolean => role === 'institution'

export const ROLE_NAMES: Record<Role, string> = {
  admin: 'Administrator',
  staff: 'Personal',
  institution: 'Instituție',
}
