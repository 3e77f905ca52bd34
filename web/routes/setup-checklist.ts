import { lazyNamed } from '../ui/base/lazy.ts'

/** The first steps of an organisation, a script of its own: most organisations have taken them. */
export const SetupChecklist = lazyNamed(
  () => import('../features/setup/setup-checklist.tsx'),
  'SetupChecklist',
)
