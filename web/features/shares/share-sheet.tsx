import { useMutation } from '@apollo/client/react'
import { useState } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { formatDate } from '../../../shared/romania/romanian.ts'
import {
  NO_RESULT_CHOSEN,
  SHARE_CHANNEL_NAMES,
  SHARE_CHANNELS,
  SHARE_PROOF_NAMES,
  SHARE_RECIPIENT_NAMES,
  SHARE_RECIPIENTS,
  type ShareChannel,
  type ShareRecipientKind,
} from '../../../shared/shares/shares.ts'
import type { ShareProof } from '../../../shared/site/setting-bounds.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Field } from '../../forms/core/field.ts'
import { FieldGroup } from '../../forms/core/field-group.tsx'
import { useForm } from '../../forms/core/form.tsx'
import { FormSheet } from '../../forms/saved-form/form-sheet.tsx'
import { useListQuery } from '../../lists/use-list-query.ts'
import { useSite } from '../../session/use-site.ts'
import { Alert } from '../../ui/feedback/alert.tsx'
import { LoadMore } from '../../ui/page/load-more.tsx'
import { PATIENT_UPLOADS } from '../new-upload/new-upload.queries.ts'
import { CreatedShare } from './created-share.tsx'
import { CREATE_SHARE, type CreatedShare as Created } from './shares.queries.ts'

export type SharePatient = { id: string; name: string; email: string | null; birthDate: string | null }

type ShareValues = {
  uploadIds: readonly string[]
  recipientKind: ShareRecipientKind
  /** Of a recipient who is not the patient. */
  recipientName: string
  channel: ShareChannel
  /** Where the patient gets the mail; `email`: where another recipient does. */
  patientEmail: string
  email: string
  proof: ShareProof
  days: string
  maxOpenings: string
  reason: string
}

const inChoice = (name: string): string => name[0]!.toLocaleUpperCase('ro') + name.slice(1)

/** Sends released results to somebody, and shows once what opens them. Mounted while it is open. */
export function ShareSheet({ patient, onClose }: { patient: SharePatient; onClose: () => void }) {
  const site = useSite()
  const [create] = useMutation(CREATE_SHARE)
  const [created, setCreated] = useState<Created | null>(null)
  /** The element that opened the sheet; it gets the focus back at the end, when the form no longer exists. */
  const [opener] = useState(() => document.activeElement)
  const finish = () => {
    onClose()
    if (opener instanceof HTMLElement) requestAnimationFrame(() => opener.focus())
  }
  if (created) return <CreatedShare created={created} onClose={finish} />
  const proofs = site.share_proofs.filter((proof) => proof !== 'birth_date' || patient.birthDate)
  const stored: ShareValues = {
    uploadIds: [],
    recipientKind: 'patient',
    recipientName: '',
    channel: patient.email ? 'mail' : 'slip',
    patientEmail: patient.email ?? '',
    email: '',
    proof: proofs[0] ?? 'pin',
    days: String(site.share_days),
    maxOpenings: '',
    reason: '',
  }
  return (
    <FormSheet<ShareValues>
      title="Trimite rezultate"
      saveLabel="Trimite"
      failureTitle="Rezultatele nu au fost trimise"
      stored={stored}
      onSave={async (values, release) => {
        const { recipientName, patientEmail, email, days, maxOpenings, uploadIds, ...rest } = {
          ...stored,
          ...values,
        }
        const isPatient = rest.recipientKind === 'patient'
        const needsEmail = rest.channel === 'mail' || rest.proof === 'email'
        const { data } = await create({
          variables: {
            input: {
              ...rest,
              patientId: patient.id,
              uploadIds: [...uploadIds],
              recipientName: isPatient ? null : recipientName,
              email: needsEmail ? (isPatient ? patientEmail : email) : null,
              days: Number(days),
              maxOpenings: maxOpenings.trim() === '' ? null : Number(maxOpenings),
            },
          },
        })
        if (!data) return
        release()
        setCreated(data.createShare)
      }}
      onClose={onClose}
    >
      <ShareFields patient={patient} proofs={proofs} />
    </FormSheet>
  )
}

function ShareFields({ patient, proofs }: { patient: SharePatient; proofs: readonly ShareProof[] }) {
  const { share_days_max: daysMax } = useSite()
  const { values } = useForm<ShareValues>()
  const isPatient = values.recipientKind === 'patient'
  return (
    <div className="col-span-full grid gap-7">
      <FieldGroup title="Ce rezultate">
        <ReleasedUploads patientId={patient.id} />
      </FieldGroup>
      <FieldGroup title="Pentru cine">
        <Field
          type="toggle"
          name="recipientKind"
          label="Destinatar"
          options={SHARE_RECIPIENTS.map((value) => ({
            value,
            label: inChoice(SHARE_RECIPIENT_NAMES[value]),
          }))}
          validation="required"
          className="sm:col-span-2"
        />
        {!isPatient && (
          <Field
            type="text"
            name="recipientName"
            label="Numele destinatarului"
            validation="required:trim"
            maxLength={LIMITS.shortText}
            className="sm:col-span-2"
          />
        )}
      </FieldGroup>
      <FieldGroup title="Cum">
        <Field
          type="toggle"
          name="channel"
          label="Cum primește linkul"
          options={SHARE_CHANNELS.map((value) => ({ value, label: inChoice(SHARE_CHANNEL_NAMES[value]) }))}
          validation="required"
          className="sm:col-span-2"
        />
        <Field
          type="toggle"
          name="proof"
          label="Ce dovedește la deschidere"
          help={
            values.proof === 'pin'
              ? 'Codul PIN apare după trimitere. Se spune separat de link.'
              : values.proof === 'email'
                ? 'Codul ajunge la adresa de e-mail la fiecare deschidere.'
                : 'Data nașterii pacientului.'
          }
          options={proofs.map((value) => ({ value, label: inChoice(SHARE_PROOF_NAMES[value]) }))}
          validation="required"
          className="sm:col-span-2"
        />
        {(values.channel === 'mail' || values.proof === 'email') && (
          <Field
            key={String(isPatient)}
            type="email"
            name={isPatient ? 'patientEmail' : 'email'}
            label="E-mailul destinatarului"
            {...(values.channel === 'mail' &&
              values.proof === 'email' && {
                help: 'Aici ajung și linkul, și codul: la o adresă greșită, le deschide altcineva.',
              })}
            validation="required:trim|email"
            className="sm:col-span-2"
          />
        )}
        <Field
          type="text"
          name="days"
          label="Valabil (zile)"
          help={`Cel mult ${daysMax}.`}
          validation={`required:trim|number|min:1|max:${daysMax}`}
        />
        <Field
          type="text"
          name="maxOpenings"
          label="Cel mult deschideri"
          help="Necompletat: oricâte."
          validation={`number|min:1|max:${LIMITS.shareOpenings}`}
        />
        <Field
          type="text"
          name="reason"
          label="Motivul"
          help="De exemplu: cererea pacientului, la telefon."
          validation="required:trim"
          maxLength={LIMITS.shortText}
          className="sm:col-span-2"
        />
      </FieldGroup>
    </div>
  )
}

/** The released results of the patient, of which at least one is chosen. */
function ReleasedUploads({ patientId }: { patientId: string }) {
  const { page, error, more } = useListQuery(PATIENT_UPLOADS, ({ patient }) => patient.uploads, {
    variables: { patientId },
  })
  if (error) return <Alert tone="danger" title={errorMessage(error)} className="sm:col-span-2" />
  const released = (page?.nodes ?? []).filter(({ state }) => state === 'released')
  if (page && released.length === 0 && !more.hasMore)
    return (
      <Alert tone="warning" title="Niciun rezultat eliberat" className="sm:col-span-2">
        Se pot trimite numai rezultate verificate și eliberate.
      </Alert>
    )
  return (
    <>
      <Field
        type="toggle"
        multiple
        look="list"
        name="uploadIds"
        label="Rezultate eliberate"
        options={released.map(({ id, title, number, examinedOn, createdAt }) => ({
          value: id,
          label: title,
          help: `${formatDate(examinedOn ?? createdAt)}, nr. ${number}`,
        }))}
        validation="required"
        validationMessages={{ required: NO_RESULT_CHOSEN }}
        className="sm:col-span-2"
      />
      <LoadMore {...more} />
    </>
  )
}
