let blockedLink: string | null = null

/** The path of the account link that this page could not open because of who is signed in; null where there is none. */
export const getBlockedLink = (): string | null => blockedLink

export function setBlockedLink(path: string | null): void {
  blockedLink = path
}
