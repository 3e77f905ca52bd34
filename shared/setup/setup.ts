/** The steps of setting up a new organisation, in the order in which they are listed. */
export const SETUP_STEPS = [
  'organisation',
  'mail',
  'second_factor',
  'categories',
  'institution',
  'reviewer',
  'backup',
] as const
export type SetupStep = (typeof SETUP_STEPS)[number]

/** `waiting`: begun, but somebody else, or the mail server, has to finish it. */
export const SETUP_STATES = ['open', 'waiting', 'done'] as const
export type SetupState = (typeof SETUP_STATES)[number]
