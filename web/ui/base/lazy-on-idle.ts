import { type ComponentProps, type ComponentType, createElement, Suspense, useState } from 'react'
import { whenIdle } from '../../loading/when-idle.ts'
import { lazyNamed } from './lazy.ts'

/**
 * Returns a component that is loaded in the background as soon as the page is idle, for example a form that
 * the user is likely to open next. It neither delays the screen nor opens late; until it is loaded, nothing
 * is rendered.
 */
export const lazyOnIdle = <
  Name extends string,
  // biome-ignore lint/suspicious/noExplicitAny: React's own bound for a component of any props
  Part extends ComponentType<any>,
>(
  load: () => Promise<Record<Name, Part>>,
  name: Name,
) => {
  let ready: Part | undefined
  whenIdle(() => {
    load().then(
      (module) => {
        ready = module[name]
      },
      // `Loaded` loads the component again when it is rendered.
      () => undefined,
    )
  })
  const Loaded = lazyNamed(load, name) as ComponentType<ComponentProps<Part>>
  return (props: ComponentProps<Part>) => {
    // A loaded component is rendered at once. React.lazy would suspend for a moment, in which the first keys
    // are lost.
    const [Component] = useState(() => (ready ?? Loaded) as ComponentType<ComponentProps<Part>>)
    return createElement(Suspense, null, createElement(Component, props))
  }
}
