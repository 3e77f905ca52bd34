import { useSyncExternalStore } from 'react'
import { Button } from '../ui/base/button.tsx'
import { Icon } from '../ui/base/icon.tsx'
import { announceNewerBuild, isNewerBuildKnown, subscribeNewerBuild } from './newer-build.ts'
import { ownBuildId } from './own-build.ts'
import { watchBuilds } from './watch-builds.ts'

// Once for the page, because the layouts that contain the notice are mounted and unmounted.
if (ownBuildId) watchBuilds({ ownId: ownBuildId, page: document, onNewer: announceNewerBuild })

/** Offers a newer build [9.2]: the button loads it at once, otherwise the next screen does. */
export function BuildNotice() {
  const isKnown = useSyncExternalStore(subscribeNewerBuild, isNewerBuildKnown)
  return (
    <div role="status" className="print:hidden">
      {isKnown && (
        <div className="flex flex-wrap items-center justify-center gap-x-1 border-b border-line bg-sunken px-2 py-1 text-sm">
          <Icon name="info" size={18} className="mr-1 text-info max-sm:hidden" />
          <p>O versiune nouă este disponibilă.</p>
          <Button
            variant="quiet"
            className="underline underline-offset-4"
            onPress={() => window.location.reload()}
          >
            Reîncarcă
          </Button>
        </div>
      )}
    </div>
  )
}
