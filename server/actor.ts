import type { Feature } from '../shared/access/features.ts'
import type { Role } from '../shared/access/roles.ts'

/** A signed-in user, read from the database at each request: permissions never come from a token. */
export type UserActor = {
  kind: 'user'
  id: string
  name: string
  email: string
  role: Role
  features: ReadonlySet<Feature>
  /** The site's setting `self_review`: a reviewer may accept uploads that they filed themselves. */
  mayAcceptOwn: boolean
  institutionIds: readonly string[]
  /** Those of `institutionIds` for which the user may send files. */
  sendingInstitutionIds: readonly string[]
  sessionId: string
  /** When the user last proved their identity in this session. */
  provedAt: Date
  /** When the user last used this session, to the minute. */
  lastSeenAt: Date
}
/** A job or the start of the server. */
export type SystemActor = { kind: 'system'; name: string }
/** A program with a public API key [6.5]; `ofPages`: with the key that every page has. */
export type PublicActor = { kind: 'public'; keyId: string; name: string; ofPages: boolean }
/** A program that sends results: it has no session and no permission, and may only send. */
export type IntegrationActor = { kind: 'integration'; id: string; name: string }
/** A person who has proved in a browser that a share is for them; `name` as its maker wrote it. */
export type RecipientActor = {
  kind: 'recipient'
  shareId: string
  sessionId: string
  patientId: string
  name: string
}
/** A client without a valid session or key. */
export type AnonymousActor = { kind: 'anonymous' }
export type Actor = UserActor | SystemActor | PublicActor | IntegrationActor | RecipientActor | AnonymousActor
