/** Why the organisation ended a session; `idle`: it was not used for as long as the settings allow. */
export type SessionEnd = 'suspended' | 'second-factor' | 'idle'
