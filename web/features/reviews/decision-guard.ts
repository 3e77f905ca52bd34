/**
 * Whether a verdict may be given now. It must never hit anything but what the reviewer has before them:
 * - `loading`: the first file is not on the screen yet;
 * - `settling`: it has only just appeared, and a key may still have been meant for the one before;
 * - `changed`: the upload is no longer the one that was looked at;
 * - `deciding`: a verdict is on its way.
 */
export type DecisionGuard = 'open' | 'loading' | 'settling' | 'changed' | 'deciding'

/** Milliseconds for which an upload must have been on the screen before it can be decided on. */
export const MIN_SHOWN_MS = 500

export function canDecideNow({
  version,
  seenVersion,
  shownAt,
  now,
  isDeciding,
}: {
  version: number
  /** The version that the reviewer has looked at; null: they have to look again. */
  seenVersion: number | null
  /** When its first file stood on the screen; null: not yet. Milliseconds, like `now`. */
  shownAt: number | null
  now: number
  isDeciding: boolean
}): DecisionGuard {
  if (isDeciding) return 'deciding'
  if (version !== seenVersion) return 'changed'
  if (shownAt === null) return 'loading'
  return now - shownAt < MIN_SHOWN_MS ? 'settling' : 'open'
}
