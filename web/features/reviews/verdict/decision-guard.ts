/**
 * Whether a verdict may be given now. A verdict must apply only to what the reviewer has seen:
 * - `loading`: the first file is not shown yet;
 * - `too-early`: the first file was shown just now, and a key may have been meant for the previous upload;
 * - `changed`: the upload has changed since the reviewer looked at it;
 * - `deciding`: a verdict is being sent.
 */
export type DecisionGuard = 'open' | 'loading' | 'too-early' | 'changed' | 'deciding'

/** How long an upload must have been on the screen before a verdict. */
export const MIN_SHOWN_MS = 500

export function canDecideNow({
  version,
  seenVersion,
  shownAt,
  now,
  isDeciding,
}: {
  version: number
  /** The version that the reviewer has seen; null if the reviewer must look again. */
  seenVersion: number | null
  /** When the first file was shown, in ms on the clock of `now`; null if not yet. */
  shownAt: number | null
  now: number
  isDeciding: boolean
}): DecisionGuard {
  if (isDeciding) return 'deciding'
  if (version !== seenVersion) return 'changed'
  if (shownAt === null) return 'loading'
  return now - shownAt < MIN_SHOWN_MS ? 'too-early' : 'open'
}
