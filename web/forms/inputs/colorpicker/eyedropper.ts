/** The API of browsers with an eyedropper: https://wicg.github.io/eyedropper-api/ */
declare global {
  interface Window {
    EyeDropper?: new () => { open(): Promise<{ sRGBHex: string }> }
  }
}

export const hasEyedropper = (): boolean => typeof window.EyeDropper === 'function'

/**
 * Lets the user pick a colour anywhere on the screen. Returns null if the user cancels or the browser has no
 * eyedropper.
 */
export async function pickScreenColor(): Promise<string | null> {
  if (!window.EyeDropper) return null
  try {
    return (await new window.EyeDropper().open()).sRGBHex
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null
    throw error
  }
}
