import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { clearForcedColourMode, startColourMode } from './colour-mode.ts'

/**
 * What the pieces need once around them, inside the router: the colour mode. It stands on every page, so it is light; what
 * React Aria needs comes with the layouts of signed-in people (AriaProvider), and so do the toasts and the tooltip (UiHosts).
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
  return children
}
