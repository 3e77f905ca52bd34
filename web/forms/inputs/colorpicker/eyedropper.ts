/** What browsers with an eyedropper have: https://wicg.github.io/eyedropper-api/ */
declare global {
  interface Window {
    EyeDropper?: new () => { open(): Promise<{ sRGBHex: string }> }
  }
}

export const hasEyedropper = (): boolean => typeof window.EyeDropper === 'function'

/** Lets the person take a colour from anywhere on the screen; null where they think better of it. */
export async function pickScreenColor(): Promise<string | null> {
  if (!window.EyeDropper) return null
  try {
    return (await new window.EyeDropper().open()).sRGBHex
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null
    throw error
  }
}
