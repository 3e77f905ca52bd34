import { type ComponentType, lazy } from 'react'

/** A part of a screen that comes when it is first shown: `lazyPart(() => import('./part.tsx'), 'Part')`. */
export const lazyPart = <
  Name extends string,
  // biome-ignore lint/suspicious/noExplicitAny: React's own bound for a component of any props
  Part extends ComponentType<any>,
>(
  load: () => Promise<Record<Name, Part>>,
  name: Name,
) => lazy(async () => ({ default: (await load())[name] }))
