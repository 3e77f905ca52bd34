import { useState } from 'react'
import { formatDate } from '../../../../shared/romania/romanian.ts'
import { useFeature } from '../../../session/use-session.ts'
import { Button } from '../../../ui/base/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import type { PatientMerge } from './merge.queries.ts'
import { useUndoMerge } from './use-undo-merge.ts'

/** Lists the patients merged into this one, while each merge can be undone. */
export function PatientMergesNotice({ merges }: { merges: readonly PatientMerge[] }) {
  const mayMerge = useFeature('patient::files')
  if (!mayMerge || merges.length === 0) return null
  return (
    <div className="mb-6 grid gap-3">
      {merges.map((merge) => (
        <MergeNotice key={merge.id} merge={merge} />
      ))}
    </div>
  )
}

function MergeNotice({ merge }: { merge: PatientMerge }) {
  const undoMerge = useUndoMerge()
  const [isPending, setPending] = useState(false)
  /** The server's sentence about values that have changed since the merge. */
  const [changed, setChanged] = useState<string | null>(null)
  const undo = async (keepChanges: boolean) => {
    setPending(true)
    setChanged(await undoMerge(merge.id, keepChanges))
    setPending(false)
  }
  return (
    <Alert
      tone={changed ? 'warning' : 'info'}
      icon="users"
      isLive={changed !== null}
      title={`Unit cu ${merge.mergedName}, nr. ${merge.mergedNumber}`}
      actions={
        <Button variant="quiet" isPending={isPending} onPress={() => void undo(changed !== null)}>
          {changed ? 'Anulează și păstrează valorile de acum' : 'Anulează unirea'}
        </Button>
      }
    >
      {changed ??
        `${formatDate(merge.mergedAt)}, de ${merge.mergedByName}. Se poate anula până la ${formatDate(merge.undoableUntil)}.`}
    </Alert>
  )
}
