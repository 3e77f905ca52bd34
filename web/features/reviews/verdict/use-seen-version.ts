import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { Upload } from '../upload.queries.ts'
import { MIN_SHOWN_MS } from './decision-guard.ts'
import type { ShownTime } from './use-shown-time.ts'

/**
 * Keeps the version of the upload that the reviewer has seen, and compares it with the current one. A version
 * that arrives while a verdict is being sent does not count as seen.
 */
export function useSeenVersion(
  { version, can }: Upload,
  { shownAt, restart }: ShownTime,
  isSending: RefObject<boolean>,
) {
  const [seenVersion, setSeenVersion] = useState<number | null>(version)
  const [isChanging, setChanging] = useState(false)
  const couldDecide = useRef(can.decide)
  if (version === seenVersion) couldDecide.current = can.decide
  const isClosing = couldDecide.current && !can.decide

  // The cached upload is shown first; a newer version that arrives before a verdict was possible counts as
  // seen. If another reviewer has decided, that is always reported once the document is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only for a new version
  useLayoutEffect(() => {
    const at = shownAt.current
    if (isSending.current || (at !== null && (isClosing || performance.now() - at >= MIN_SHOWN_MS))) return
    if (at !== null) restart()
    setSeenVersion(version)
  }, [version, restart])

  return {
    /** Null if the reviewer must look again. */
    seenVersion,
    /** Whether the current version is newer and does not come from a change on this page. */
    isNewer: !isChanging && (seenVersion === null || version > seenVersion),
    /** Whether the reviewer could decide when they saw the upload, and cannot any more. */
    isClosing,
    /** Makes the reviewer look again before the next verdict. */
    forget: () => setSeenVersion(null),
    /** Marks a version as seen, after the reviewer has seen the changes or has made them. */
    acknowledge: (changed = version) => setSeenVersion(changed),
    /**
     * Runs a change that the user makes on this page; `change` returns the new version, or undefined if
     * nothing has changed.
     */
    changeOwn: async (change: () => Promise<number | undefined>) => {
      setChanging(true)
      try {
        const changed = await change()
        if (changed !== undefined) setSeenVersion(changed)
      } finally {
        setChanging(false)
      }
    },
  }
}
