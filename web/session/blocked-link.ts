let blockedLink: string | null = null

/**
 * Returns the path of the account link that this page could not open because of the signed-in user; null if
 * there is none.
 */
export const getBlockedLink = (): string | null => blockedLink

export function setBlockedLink(path: string | null): void {
  blockedLink = path
}
