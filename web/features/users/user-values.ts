import type { Role } from '../../../shared/access/roles.ts'
import type { UserDetails } from './accounts.queries.ts'

/** The values of the form of an account. */
export type UserValues = {
  name: string
  email: string
  jobTitle: string
  phone: string
  /** Null while none is chosen; the form requires one. */
  role: Role | null
  features: readonly string[]
  institutionIds: readonly string[]
}

export const NEW_USER: UserValues = {
  name: '',
  email: '',
  jobTitle: '',
  phone: '',
  role: null,
  features: [],
  institutionIds: [],
}

export const readValues = (user: UserDetails): UserValues => ({
  name: user.name,
  email: user.email,
  jobTitle: user.jobTitle ?? '',
  phone: user.phone ?? '',
  role: user.role,
  features: user.features,
  institutionIds: user.institutions.map(({ id }) => id),
})

/** Returns the input of the server, without values that belong to another role. */
export const toInput = (role: Role, { features, institutionIds, ...person }: UserValues) => ({
  ...person,
  role,
  features: role === 'staff' ? [...features] : [],
  institutionIds: role === 'institution' ? [...institutionIds] : [],
})
