import { useState } from 'react'
import { formatDate } from '../../../shared/romania/romanian.ts'
import { Button, IconButton } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { lazyOnIdle } from '../../ui/base/lazy-on-idle.ts'
import { Menu } from '../../ui/overlays/menu.tsx'
import type { Patient, Referral } from './patients.queries.ts'

const load = () => import('./referral-dialog.tsx')
const AddReferralDialog = lazyOnIdle(load, 'AddReferralDialog')
const DIALOGS = {
  edit: lazyOnIdle(load, 'EditReferralDialog'),
  end: lazyOnIdle(load, 'EndReferralDialog'),
  reopen: lazyOnIdle(load, 'ReopenReferralDialog'),
}

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
            <li key={referral.id} className="flex items-start gap-2 px-4 py-3 sm:px-5">
              <div className="min-w-0 grow">
                <p className="font-medium break-words">{referral.institutionName}</p>
                <p className="mt-0.5 flex flex-wrap gap-x-3 text-sm break-words text-muted">
                  {describeReferral(referral).map((fact) => (
                    <span key={fact}>{fact}</span>
                  ))}
                </p>
              </div>
              {patient.can.edit && <ReferralMenu patientId={patient.id} referral={referral} />}
            </li>
          ))}
        </ul>
      )}
      {isAdding && <AddReferralDialog patientId={patient.id} onClose={() => setAdding(false)} />}
    </Card>
  )
}

/** What can be done with a referral. */
function ReferralMenu({ patientId, referral }: { patientId: string; referral: Referral }) {
  const [opened, setOpened] = useState<keyof typeof DIALOGS | null>(null)
  const Dialog = opened && DIALOGS[opened]
  const label = `Trimiterea de la ${referral.institutionName}`
  return (
    <>
      <Menu
        trigger={<IconButton icon="more-vertical" label={label} className="-my-1.5 -mr-2" />}
        label={label}
        sections={[
          {
            items: [
              { id: 'edit', label: 'Editează', icon: 'pencil', onAction: () => setOpened('edit') },
              referral.endedOn
                ? { id: 'reopen', label: 'Redeschide', icon: 'undo', onAction: () => setOpened('reopen') }
                : { id: 'end', label: 'Încheie', icon: 'ban', onAction: () => setOpened('end') },
            ],
          },
        ]}
      />
      {Dialog && <Dialog patientId={patientId} referral={referral} onClose={() => setOpened(null)} />}
    </>
  )
}

const describeReferral = ({
  institutionSuspended,
  doctor,
  number,
  referredOn,
  endedOn,
  isMistaken,
  createdAt,
}: Referral): string[] => [
  ...(isMistaken ? ['adăugată din greșeală'] : []),
  ...(institutionSuspended ? ['instituție suspendată'] : []),
  ...(doctor ? [doctor] : []),
  ...(number ? [`nr. ${number}`] : []),
  referredOn ? formatDate(referredOn) : `adăugată ${formatDate(createdAt)}`,
  ...(endedOn ? [`încheiată ${formatDate(endedOn)}`] : []),
]
