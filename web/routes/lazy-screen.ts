import { lazyRouteComponent } from '@tanstack/react-router'

/**
 * Loads a screen when it is first opened or preloaded. If the load fails while the screen is opened,
 * RouteErrorPage reloads the page once. The router would do the same by its own rules; it recognises the
 * failure by its text, so the error gets another text.
 */
export const lazyScreen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch((cause: unknown) => {
        throw new Error('a screen did not load', { cause })
      }),
    name,
  )
