import { type ComponentType, lazy } from 'react'

/**
 * Returns a component that is loaded when it is first rendered: `lazyNamed(() => import('./part.tsx'),
 * 'Part')`.
 */
export const lazyNamed = <
  Name extends string,
  // biome-ignore lint/suspicious/noExplicitAny: React's own bound for a component of any props
  Part extends ComponentType<any>,
>(
  load: () => Promise<Record<Name, Part>>,
  name: Name,
) => lazy(async () => ({ default: (await load())[name] }))
