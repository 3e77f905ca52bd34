import { useState } from 'react'
import { Button } from '../../../ui/base/button.tsx'
import { lazyOnIdle } from '../../../ui/base/lazy-on-idle.ts'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { categoryStore } from '../categories.ts'
import { describeDifferences, describeMerge } from '../category-labels.ts'
import type { CategoryState } from '../store/category-state.ts'
import { listDifferences } from './category-properties.ts'
import { DifferenceLines } from './difference-lines.tsx'

const MergeDialog = lazyOnIdle(() => import('./merge-dialog.tsx'), 'MergeDialog')

/** The changes of two users after a merge, a line each. */
export type MergeReport = { theirs: string[]; mine: string[]; notes: string[] }

/** Merges the arrived list and returns a report of the changes; null if no list has arrived. */
export function mergeServerList(
  { snapshot, list, arrived }: CategoryState,
  choices?: Parameters<typeof categoryStore.merge>[0],
): MergeReport | null {
  const merge = categoryStore.previewMerge(choices)
  if (!arrived || !merge) return null
  const report = {
    theirs: describeDifferences(listDifferences(snapshot, arrived.tree)),
    mine: describeDifferences(listDifferences(snapshot, list)),
    notes: describeMerge(merge),
  }
  categoryStore.merge(choices)
  return report
}

/** The notice that another user has saved and the merge has conflicts. */
export function ConflictNotice({
  state,
  onMerged,
}: {
  state: CategoryState
  onMerged: (report: MergeReport | null) => void
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Alert
        tone="warning"
        isLive
        title="Altcineva a salvat categoriile între timp"
        actions={<Button onPress={() => setOpen(true)}>Compară și alege</Button>}
      >
        Ați schimbat amândoi același lucru. Nimic nu s-a pierdut: alege ce rămâne, apoi salvează.
      </Alert>
      {isOpen && (
        <MergeDialog
          state={state}
          onClose={() => setOpen(false)}
          onMerge={(choices) => {
            setOpen(false)
            onMerged(mergeServerList(state, choices))
          }}
        />
      )}
    </>
  )
}

/** The report of a merge, shown until it is closed. */
export function MergedNotice({ report, onClose }: { report: MergeReport; onClose: () => void }) {
  return (
    <Alert
      tone="info"
      isLive
      title="Altcineva a salvat categoriile; le-am unit cu ale tale"
      actions={<Button onPress={onClose}>Am înțeles</Button>}
    >
      <DifferenceLines title="A schimbat celălalt" lines={report.theirs} />
      <DifferenceLines title="Ai schimbat tu, încă nesalvat" lines={report.mine} />
      <DifferenceLines title="De verificat" lines={report.notes} />
    </Alert>
  )
}
