import { type ComponentProps, type ComponentType, createElement, lazy, Suspense, useState } from 'react'

/** A part of a screen that comes when it is first shown: `lazyNamed(() => import('./part.tsx'), 'Part')`. */
export const lazyNamed = <
  Name extends string,
  // biome-ignore lint/suspicious/noExplicitAny: React's own bound for a component of any props
  Part extends ComponentType<any>,
>(
  load: () => Promise<Record<Name, Part>>,
  name: Name,
) => lazy(async () => ({ default: (await load())[name] }))

/**
 * The same for what a person is about to open, a form for one: it comes as soon as the page has nothing else to do, so that
 * it neither delays the screen nor keeps the person waiting. Nothing stands in its place until then.
 */
export const lazyOnIdle = <
  Name extends string,
  // biome-ignore lint/suspicious/noExplicitAny: as above
  Part extends ComponentType<any>,
>(
  load: () => Promise<Record<Name, Part>>,
  name: Name,
) => {
  let ready: Part | undefined
  // Where it fails now, it is asked for again when it is shown. Safari has no idle callback.
  const prepare = () => {
    load().then(
      (module) => {
        ready = module[name]
      },
      () => undefined,
    )
  }
  if ('requestIdleCallback' in globalThis) requestIdleCallback(prepare)
  else setTimeout(prepare, 1000)
  const Loaded = lazyNamed(load, name) as ComponentType<ComponentProps<Part>>
  return (props: ComponentProps<Part>) => {
    // What is there is shown at once; React would wait a moment, in which the first keys are lost.
    const [Shown] = useState(() => (ready ?? Loaded) as ComponentType<ComponentProps<Part>>)
    return createElement(Suspense, null, createElement(Shown, props))
  }
}
