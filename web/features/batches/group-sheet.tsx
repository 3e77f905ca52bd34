import { useApolloClient } from '@apollo/client/react'
import { useState } from 'react'
import { FormSheet } from '../../forms/saved-form/form-sheet.tsx'
import { DetailFields, type Details, NoteField } from '../reviews/dialogs/detail-fields.tsx'
import { RecipientFields } from '../reviews/dialogs/edit-upload-dialog.tsx'
import { ACCEPT_GROUP, type BatchGroup } from './batches.queries.ts'

type Values = Details & { patientId: string | null; note: string }

/** Returns what a group would be filed with. */
function valuesOf(group: BatchGroup): Values {
  const { upload, proposal } = group
  return {
    patientId: recipientOf(group)?.id ?? null,
    institutionId: (proposal?.institution ?? upload.institution)?.id ?? null,
    categorySlug: (proposal?.category ?? upload.category)?.slug ?? null,
    title: proposal?.title ?? upload.title,
    examinedOn: proposal?.examinedOn ?? upload.examinedOn,
    referringDoctor: proposal?.doctor ?? upload.referringDoctor ?? '',
    accessionNumber: proposal?.accessionNumber ?? upload.accessionNumber ?? '',
    note: upload.note ?? '',
  }
}

/** The patient who was chosen, or the only one proposed. */
const recipientOf = ({ chosen, upload, proposal }: BatchGroup) =>
  chosen ?? upload.patient ?? (proposal?.confidence === 'sure' ? proposal.patients[0] : null) ?? null

/** The form in which all that a group is filed with is changed; saving it files the group. */
export function GroupSheet({
  group,
  onReload,
  onFiled,
  onClose,
}: {
  group: BatchGroup
  /** Returns the group as it is now; null if it is no longer in the list. */
  onReload: () => Promise<BatchGroup | null>
  onFiled: (id: string) => void
  onClose: () => void
}) {
  const client = useApolloClient()
  const [current, setCurrent] = useState(group)
  const { upload, proposal } = current
  const patient = recipientOf(current)
  return (
    <FormSheet<Values>
      title="Datele grupului"
      saveLabel="Trimite la verificare"
      failureTitle="Grupul nu a fost trimis"
      stored={valuesOf(group)}
      onReload={async () => {
        const next = await onReload()
        if (!next) throw new Error('the group has left the list')
        setCurrent(next)
        return valuesOf(next)
      }}
      onSave={async (details, release) => {
        const variables = { uploadId: upload.id, version: upload.version, details }
        await client.mutate({ mutation: ACCEPT_GROUP, variables })
        release()
        onFiled(upload.id)
      }}
      onClose={onClose}
    >
      <RecipientFields
        proposed={patient ? [] : (proposal?.patients ?? [])}
        upload={{
          patient,
          institution: proposal?.institution ?? upload.institution,
          referringDoctor: proposal?.doctor ?? upload.referringDoctor,
        }}
      />
      <DetailFields categorySlug={(proposal?.category ?? upload.category)?.slug} />
      <NoteField />
    </FormSheet>
  )
}
