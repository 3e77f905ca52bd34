import { builder } from '../../../graphql/builder.ts'
import { staffOrEmpty } from '../../../graphql/hidden-fields.ts'
import { Patient } from '../patients.graphql.ts'
import {
  type DuplicateReason,
  findPossibleDuplicates,
  listDuplicatesOf,
  type PossibleDuplicate as PossibleDuplicateRow,
} from './find-duplicates.ts'
import { markDistinct } from './mark-distinct.ts'

const DuplicateReasonType = builder.enumType('DuplicateReason', {
  description:
    'Why two patients may be one person. Names are compared without diacritics, hyphens and order.',
  values: {
    name_and_birth_date: { description: 'The birth date, and the name or a part of it.' },
    name: { description: 'The name, where a birth date is unknown.' },
    phone: { description: 'The phone number.' },
  } satisfies Record<DuplicateReason, object>,
})

const PossibleDuplicate = builder.objectRef<PossibleDuplicateRow>('PossibleDuplicate').implement({
  authScopes: { staff: true },
  description: 'A patient who may be the same person.',
  fields: (t) => ({
    patient: t.expose('patient', { type: Patient }),
    reasons: t.expose('reasons', {
      description: 'One or more, the strongest first.',
      type: [DuplicateReasonType],
    }),
  }),
})

builder.objectField(Patient, 'possibleDuplicates', (t) =>
  t.field({
    ...staffOrEmpty,
    description:
      'At most five patients who may be the same person, without those declared other people with `markDistinctPatients`.',
    type: [PossibleDuplicate],
    resolve: (patient, _args, ctx) => listDuplicatesOf(ctx, patient),
  }),
)

builder.queryField('possibleDuplicates', (t) =>
  t.field({
    description:
      'At most five patients who may be the person whose details are being entered; incomplete details are allowed.',
    type: [PossibleDuplicate],
    authScopes: { staff: true },
    args: {
      surname: t.arg.string(),
      givenNames: t.arg.string(),
      previousSurname: t.arg.string(),
      birthDate: t.arg.string({ description: 'yyyy-MM-dd; another text is ignored.' }),
      phone: t.arg.string({ description: 'In any format; an invalid number is ignored.' }),
      exceptId: t.arg.id({
        description: 'The patient whose details are changed: omitted, like those declared other people.',
      }),
    },
    resolve: (_root, args, ctx) => findPossibleDuplicates(ctx, args),
  }),
)

builder.mutationField('markDistinctPatients', (t) =>
  t.field({
    description:
      'Remembers that two patients are different people, so that nothing proposes them as duplicates again.',
    type: Patient,
    authScopes: { staff: true },
    args: { patientId: t.arg.id({ required: true }), otherId: t.arg.id({ required: true }) },
    resolve: (_root, args, ctx) => markDistinct(ctx, args),
  }),
)
