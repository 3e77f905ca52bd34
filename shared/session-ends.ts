/** Why the organisation ended a session. */
export type SessionEnd = 'suspended' | 'second-factor'
