import { type ReactNode, useEffect } from 'react'
import { startColourMode } from '../colour-mode/colour-mode.ts'

/**
 * Starts the colour mode for the whole application. Every page loads this provider, so it stays small:
 * AriaProvider and ToastHost come with the layouts of signed-in users.
 */
export function UiProvider({ children }: { children: ReactNode }) {
  useEffect(startColourMode, [])
  return children
}
