import type { ReactNode } from 'react'
import { SEX_NAMES } from '../../../shared/romania/cnp.ts'
import { formatDate, formatDateTime } from '../../../shared/romania/romanian.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { Kbd } from '../../ui/base/kbd.tsx'
import { PlainLink } from '../../ui/base/link.tsx'
import { DescriptionList } from '../../ui/page/description-list.tsx'
import { CategoryBadge } from '../categories/category-icon.tsx'
import { describeAge } from '../patients/patient-age.ts'
import { Cnp } from '../patients/patient-header.tsx'
import { ComparisonLines } from './comparison/comparison-lines.tsx'
import { useProposedPatients } from './dialogs/proposed-patients.tsx'
import type { Upload } from './upload.queries.ts'

/** Returns the name of the receiving institution; a suspended institution sees no results for now. */
const nameInstitution = ({ name, isSuspended }: NonNullable<Upload['institution']>): string =>
  isSuspended ? `${name} (suspendată)` : name

const today = () => new Date().toLocaleDateString('sv-SE')
const SOURCES: Record<string, string> = {
  staff: 'de personalul centrului',
  institution: 'de instituție',
  bulk: 'prin import',
}

/** The patient of the upload, for the reviewer to compare with the document. */
export function PatientCard({
  upload,
  onAssign,
  onShow,
}: {
  upload: Upload
  onAssign: () => void
  /** Shows a file. */
  onShow: (fileId: string, page?: number) => void
}) {
  const { patient } = upload
  const proposed = useProposedPatients(upload)
  if (!patient) {
    return (
      <div className="rounded-lg border border-warning-line bg-warning-soft p-4 sm:p-5">
        <p className="font-semibold text-warning">Fără pacient</p>
        <p className="mt-1 text-sm">
          {proposed.length > 0
            ? `În fișiere: ${proposed.map(({ name, reasonText }) => `${name} (${reasonText})`).join('; ')}. Compară cu documentul, apoi alege pacientul.`
            : 'Citește din document al cui este, apoi alege pacientul.'}
        </p>
        {upload.can.edit && (
          <Button variant="primary" icon="user-check" className="mt-3" onPress={onAssign}>
            Alege pacientul
          </Button>
        )}
      </div>
    )
  }
  return (
    <div className="rounded-lg border border-line bg-surface p-4 sm:px-5">
      <p className="text-xl leading-7 font-semibold break-words">
        <PlainLink
          to="/patients/$patientId"
          params={{ patientId: patient.id }}
          className="underline-offset-4 hover:underline"
        >
          {patient.name}
        </PlainLink>
      </p>
      <div className="mt-2 grid gap-1 text-base">
        {patient.birthDate && (
          <p className="tabular-nums">
            {formatDate(patient.birthDate)}{' '}
            <span className="text-muted">
              ({describeAge(patient.birthDate, today())}
              {patient.sex ? `, ${SEX_NAMES[patient.sex]?.toLocaleLowerCase('ro')}` : ''})
            </span>
          </p>
        )}
        {patient.cnpMasked ? (
          <p>
            <Cnp patientId={patient.id} masked={patient.cnpMasked} />
          </p>
        ) : (
          <p className="text-muted">Fără CNP</p>
        )}
      </div>
      <ComparisonLines upload={upload} onShow={onShow} />
    </div>
  )
}

/** All other data of the upload. */
export function UploadDetailsCard({
  upload,
  onEdit,
  corrections,
}: {
  upload: Upload
  onEdit: () => void
  /** The menu of corrections after the verdict, where editing is no longer possible. */
  corrections: ReactNode
}) {
  const { institution, category, examinedOn, referringDoctor, accessionNumber, note, releasedAt } = upload
  return (
    <Card
      title="Date"
      actions={
        upload.can.edit ? (
          <Button variant="quiet" icon="pencil" onPress={onEdit}>
            <span className="inline-flex items-center gap-2">
              Editează
              <span aria-hidden="true" className="pointer-coarse:hidden">
                <Kbd>E</Kbd>
              </span>
            </span>
          </Button>
        ) : (
          corrections
        )
      }
    >
      <DescriptionList
        items={[
          { label: 'Instituție', value: institution && nameInstitution(institution), isWide: true },
          { label: 'Categorie', value: category && <CategoryBadge category={category} />, isWide: true },
          { label: 'Data examinării', value: examinedOn && formatDate(examinedOn) },
          { label: 'Medic trimițător', value: referringDoctor },
          { label: 'Nr. examinare', value: accessionNumber },
          {
            label: 'Încărcată',
            value: `${formatDateTime(upload.createdAt)}, ${SOURCES[upload.source] ?? upload.source}`,
          },
          { label: 'Autor', value: upload.authorName },
          ...(releasedAt ? [{ label: 'Eliberată', value: formatDateTime(releasedAt) }] : []),
          ...(note
            ? [{ label: 'Notă', value: <span className="whitespace-pre-line">{note}</span>, isWide: true }]
            : []),
        ]}
      />
    </Card>
  )
}
