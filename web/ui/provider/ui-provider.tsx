import { type ReactNode, useEffect } from 'react'
import { startColourMode } from '../colour-mode/colour-mode.ts'

/**
 * What the pieces need once around them: the colour mode. It stands on every page, so it is light; what React Aria needs
 * comes with the layouts of signed-in people (AriaProvider), and so do the toasts and the tooltip (UiHosts).
 */
export function UiProvider({ children }: { children: ReactNode }) {
  useEffect(startColourMode, [])
  return children
}
