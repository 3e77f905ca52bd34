let isAllowed = false

/**
 * Allows workers whose script comes from this origin or from the page itself (a blob); call it before `new Worker`.
 * The page's Content-Security-Policy allows no other text as the address of a script.
 */
export function allowOwnWorkers(): void {
  if (isAllowed) return
  isAllowed = true
  // Missing in TypeScript's library, and in browsers of two years ago, which do not check either.
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => (new URL(url, location.href).origin === location.origin ? url : null),
  })
}

type TrustedTypes = {
  createPolicy(name: string, rules: { createScriptURL(url: string): string | null }): unknown
}
