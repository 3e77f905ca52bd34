import { useState } from 'react'
import { useFeature } from '../../../session/use-session.ts'
import { Button } from '../../../ui/base/button.tsx'
import { lazyOnIdle } from '../../../ui/base/lazy-on-idle.ts'

const MergeDialog = lazyOnIdle(() => import('./merge-dialog.tsx'), 'MergeDialog')

/** Merges the patient with one whom the user finds, also where no duplicate was proposed. */
export function MergeButton({ patientId }: { patientId: string }) {
  const mayMerge = useFeature('patient::files')
  const [isOpen, setOpen] = useState(false)
  if (!mayMerge) return null
  return (
    <>
      <Button icon="merge" onPress={() => setOpen(true)}>
        Unește cu alt pacient…
      </Button>
      {isOpen && <MergeDialog patientId={patientId} onClose={() => setOpen(false)} />}
    </>
  )
}
