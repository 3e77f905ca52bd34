import type { FactKind } from '../../../shared/uploads/file-facts.ts'
import { FILE_KINDS, type ScanResult } from '../../../shared/uploads/files.ts'
import type { TurnaroundStep, UploadSender, UploadState } from '../../../shared/uploads/upload-state-list.ts'
import type { UploadSource } from '../../../shared/uploads/upload-states.ts'
import { builder } from '../../graphql/builder.ts'

export const UploadStateType = builder.enumType('UploadState', {
  description: 'The states of an upload. Only `released` is visible outside the staff.',
  values: {
    receiving: { description: 'Its author is still adding files.' },
    checking: { description: 'Submitted; the type of each file is being recognised.' },
    quarantined: { description: 'A file was refused by the check.' },
    unassigned: { description: 'Checked, but without a patient.' },
    in_review: { description: 'Waits for a reviewer.' },
    accepted: { description: 'Waits for its release.' },
    released: { description: 'Its institution can read it.' },
    rejected: { description: 'Returned to its author with a reason.' },
    replaced: { description: 'Was released; a corrected upload has taken its place.' },
    withdrawn: { description: 'In the bin: withdrawn by its author or a reviewer, or past its retention.' },
  } satisfies Record<UploadState, object>,
})

export const UploadSourceType = builder.enumType('UploadSource', {
  description: 'Who filed an upload.',
  values: {
    staff: {},
    institution: { description: 'A user of an institution.' },
    bulk: { description: 'Staff, with many others at once.' },
  } satisfies Record<UploadSource, object>,
})

export const UploadSenderType = builder.enumType('UploadSender', {
  description: 'Who has sent the files of an upload.',
  values: {
    staff: {},
    institution: { description: 'A user of an institution.' },
    integration: { description: 'A program, also if a person has filed the upload since.' },
  } satisfies Record<UploadSender, object>,
})

export const TurnaroundStepType = builder.enumType('TurnaroundStep', {
  description: 'The steps of a result from the examination to its first opening.',
  values: {
    filing: {
      description:
        'From the day of the examination to the day on which the upload was created, in whole days.',
    },
    release: { description: 'From the creation of the upload to its release.' },
    opening: { description: 'From the release to the first opening by a user of the institution.' },
  } satisfies Record<TurnaroundStep, object>,
})

export const FileKindType = builder.enumType('FileKind', {
  description: 'The kind of a file, recognised by its content; it decides how the file is shown.',
  values: FILE_KINDS,
})

export const ScanResultType = builder.enumType('ScanResult', {
  description: 'The result of the check of a file. Only a file that is `unscanned` or `clean` can be opened.',
  values: {
    pending: { description: 'Not checked yet.' },
    unscanned: { description: 'Accepted by the check; not scanned for malware.' },
    clean: { description: 'Accepted by the check, and scanned: no known malware was found.' },
    refused: { description: 'The reason is in the `facts` of the file.' },
  } satisfies Record<ScanResult, object>,
})

export const UnreadableType = builder.enumType('Unreadable', {
  description:
    'Why the content of a file could not be read, so that only a person can compare it with the patient.',
  values: {
    locked: { description: 'It needs a password.' },
    damaged: {},
    too_large: { value: 'too-large' },
    entries: { description: 'A PDF or DICOM file of the archive could not be read.' },
  },
})

export const FactKindType = builder.enumType('FactKind', {
  description: 'What a fact of a file is about.',
  values: {
    cnp: { value: 'cnp', description: 'A personal number.' },
    name: {
      value: 'name',
      description: "The patient's name, the surname first where the file says which part it is.",
    },
    birth_date: { value: 'birth-date' },
    accession: { value: 'accession', description: 'The number of the examination at the organisation.' },
    examined_on: { value: 'examined-on', description: 'The day of the examination.' },
    doctor: { value: 'doctor', description: 'Who referred the patient.' },
    institution: { value: 'institution', description: 'Where the patient was referred from.' },
    instance: { value: 'instance', description: 'The SOP Instance UID of a DICOM image.' },
    series: { value: 'series', description: 'The Series Instance UID of a DICOM image.' },
  } satisfies Record<string, { value: FactKind; description?: string }>,
})
