import { useState } from 'react'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { lazyOnIdle } from '../../ui/base/lazy-on-idle.ts'
import { passListChange } from '../site/use-list-changes.ts'
import { ShareList } from './share-list.tsx'
import type { SharePatient } from './share-sheet.tsx'

const ShareSheet = lazyOnIdle(() => import('./share-sheet.tsx'), 'ShareSheet')
const ShareHistory = lazyOnIdle(() => import('./share-history.tsx'), 'ShareHistory')

/** The links with results of a patient, for users with the feature `patient::share` [3.2]. */
export function PatientShares({
  patient,
  openId,
  onClose,
}: {
  patient: SharePatient
  /** The link that the address names: its history is open. */
  openId: string | null
  onClose: () => void
}) {
  const [isSending, setSending] = useState(false)
  return (
    <Card
      flush
      title="Linkuri cu rezultate"
      actions={
        <Button icon="share" onPress={() => setSending(true)}>
          Trimite rezultate
        </Button>
      }
    >
      <ShareList patientId={patient.id} />
      {openId && <ShareHistory key={openId} id={openId} onClose={onClose} />}
      {isSending && (
        <ShareSheet
          patient={patient}
          onClose={() => {
            setSending(false)
            passListChange('SHARES')
          }}
        />
      )}
    </Card>
  )
}
