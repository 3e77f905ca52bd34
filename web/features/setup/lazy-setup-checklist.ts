import { lazyNamed } from '../../ui/base/lazy.ts'

/** The first steps of an organisation, a script of its own: most organisations have taken them. */
export const SetupChecklist = lazyNamed(() => import('./setup-checklist.tsx'), 'SetupChecklist')
export const HiddenSetup = lazyNamed(() => import('./setup-checklist.tsx'), 'HiddenSetup')
