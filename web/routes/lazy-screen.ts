import { lazyRouteComponent } from '@tanstack/react-router'

/**
 * A screen that is loaded when it is first opened, or pointed at. Where that fails while it is opened, the page is loaded
 * anew once (RouteErrorPage). The router would do that too, by rules of its own: it knows the failure by its words, so it is
 * given others.
 */
export const lazyScreen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch((cause: unknown) => {
        throw new Error('a screen did not load', { cause })
      }),
    name,
  )
