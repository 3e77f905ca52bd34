/**
 * What every navigation waits for before it shows a screen; null until a newer build is known. It is apart
 * from newer-build.ts because every page loads this module first.
 */
export const beforeNavigation: { wait: ((path: string) => Promise<void>) | null } = { wait: null }
