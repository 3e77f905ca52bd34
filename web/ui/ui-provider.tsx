import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { I18nProvider, RouterProvider } from 'react-aria-components'
import { clearForcedColourMode, startColourMode } from './colour-mode.ts'

/**
 * What the pieces need once around them, inside the router: Romanian, the router for their links, the colour mode. It
 * stands on every page, so it is light; the toasts and the tooltip come with the layouts (UiHosts).
 */
export function UiProvider({ children }: { children: ReactNode }) {
  const router = useRouter()
  useEffect(startColourMode, [])
  useEffect(
    () =>
      router.subscribe('onBeforeLoad', ({ pathChanged }) => {
        if (pathChanged) clearForcedColourMode()
      }),
    [router],
  )
  return (
    <I18nProvider locale="ro-RO">
      <RouterProvider navigate={(href) => router.navigate({ href })}>{children}</RouterProvider>
    </I18nProvider>
  )
}
