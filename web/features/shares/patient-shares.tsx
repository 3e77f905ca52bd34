import { useState } from 'react'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { lazyOnIdle } from '../../ui/base/lazy.ts'
import { passListChange } from '../site/use-list-changes.ts'
import { ShareList } from './share-list.tsx'
import type { SharePatient } from './share-sheet.tsx'

const ShareSheet = lazyOnIdle(() => import('./share-sheet.tsx'), 'ShareSheet')

/** The links with results of a patient, for users with the feature `patient::share` [3.2]. */
export function PatientShares({ patient }: { patient: SharePatient }) {
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
