/**
 * What every navigation waits for before it shows anything. Null until a newer build is known (newer-build.ts), and apart
 * from it because this is part of what every page loads first.
 */
export const beforeNavigation: { wait: ((path: string) => Promise<void>) | null } = { wait: null }
