import { useState } from 'react'
import { formatDate } from '../../../shared/romania/romanian.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { lazyOnIdle } from '../../ui/base/lazy.ts'
import type { Patient, Referral } from './patients.queries.ts'

const ReferralDialog = lazyOnIdle(() => import('./referral-dialog.tsx'), 'ReferralDialog')

/** Lists the institutions that referred the patient: only these may receive the results. */
export function PatientReferrals({ patient }: { patient: Patient }) {
  const [isAdding, setAdding] = useState(false)
  const { referrals } = patient
  return (
    <Card
      title="Trimiteri"
      flush={referrals.length > 0}
      actions={
        patient.can.edit && (
          <Button variant="quiet" icon="plus" onPress={() => setAdding(true)}>
            Adaugă trimitere
          </Button>
        )
      }
    >
      {referrals.length === 0 ? (
        <p className="text-sm text-muted">
          Nicio trimitere. O instituție vede rezultatele pacientului numai după ce are aici o trimitere.
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {referrals.map((referral) => (
            <li key={referral.id} className="px-4 py-3 sm:px-5">
              <p className="font-medium break-words">{referral.institutionName}</p>
              <p className="mt-0.5 flex flex-wrap gap-x-3 text-sm break-words text-muted">
                {describeReferral(referral).map((fact) => (
                  <span key={fact}>{fact}</span>
                ))}
              </p>
            </li>
          ))}
        </ul>
      )}
      {isAdding && <ReferralDialog patientId={patient.id} onClose={() => setAdding(false)} />}
    </Card>
  )
}

const describeReferral = ({
  institutionSuspended,
  doctor,
  number,
  referredOn,
  createdAt,
}: Referral): string[] => [
  ...(institutionSuspended ? ['instituție suspendată'] : []),
  ...(doctor ? [doctor] : []),
  ...(number ? [`nr. ${number}`] : []),
  referredOn ? formatDate(referredOn) : `adăugată ${formatDate(createdAt)}`,
]
