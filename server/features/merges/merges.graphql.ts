import { builder } from '../../graphql/builder.ts'
import { staffOrEmpty } from '../../graphql/hidden-fields.ts'
import { Patient, Referral } from '../patients/patients.graphql.ts'
import { type MergePreview as MergePreviewRow, mergePatients, previewMerge } from './merge-patients.ts'
import { CHOSEN_FIELDS, type ChosenField } from './merged-values.ts'
import type { MergeRow } from './merges.db.ts'
import { listMerges, type UndoneMerge as UndoneMergeRow, undoableUntil, undoMerge } from './undo-merge.ts'

const PatientField = builder.enumType('PatientField', {
  description:
    'The values of a patient that a merge chooses between. The CNP is not chosen: the valid one stays.',
  values: Object.keys(CHOSEN_FIELDS) as ChosenField[],
})

const PatientMerge = builder.objectRef<MergeRow>('PatientMerge').implement({
  authScopes: { staff: true },
  description: 'Another patient was merged into this one.',
  fields: (t) => ({
    id: t.exposeID('id'),
    mergedName: t.string({
      description: 'The surname and the given names of the merged patient.',
      resolve: ({ surname, given_names }) => `${surname} ${given_names}`,
    }),
    mergedNumber: t.exposeInt('number', { description: 'The number of the merged patient.' }),
    mergedAt: t.expose('merged_at', { type: 'DateTime' }),
    mergedByName: t.exposeString('merged_by_name'),
    undoableUntil: t.field({ type: 'DateTime', resolve: undoableUntil }),
  }),
})

const MergePreview = builder.objectRef<MergePreviewRow>('MergePreview').implement({
  authScopes: { staff: true },
  description: 'Two patients before a merge.',
  fields: (t) => ({
    survivor: t.expose('survivor', { type: Patient }),
    merged: t.expose('merged', { type: Patient }),
    survivorUploads: t.exposeInt('survivorUploads', { description: 'Without those in the bin.' }),
    mergedUploads: t.exposeInt('mergedUploads', { description: 'Without those in the bin.' }),
    obstacle: t.exposeString('obstacle', {
      description: 'Why they cannot be merged, in Romanian; null if they can.',
      nullable: true,
    }),
  }),
})

const UndoneMerge = builder.objectRef<UndoneMergeRow>('UndoneMerge').implement({
  authScopes: { staff: true },
  description: 'Two patients after a merge was undone.',
  fields: (t) => ({
    survivor: t.expose('survivor', { type: Patient }),
    restored: t.expose('restored', { type: Patient }),
    uploadsToCheck: t.intList({
      description:
        'The numbers of uploads that a person has to look at: those of the survivor since the merge, those of either patient that were released since, which are in review again, and those of either for an institution without a referral.',
      resolve: ({ toCheck }) => toCheck.map(({ number }) => number),
    }),
    referralsToCheck: t.expose('referralsToCheck', {
      description:
        'The referrals of the survivor since the merge for which no CNP says whose they are: their institutions see the survivor until a person has decided.',
      type: [Referral],
    }),
    newsToCheck: t.exposeInt('newsToCheck', {
      description:
        'How many news were written about either of them since the merge, about whom a person has to say; only staff read these now. 0 without `patient::news`.',
    }),
  }),
})

builder.objectField(Patient, 'merges', (t) =>
  t.field({
    ...staffOrEmpty,
    description: 'The merges into this patient that can still be undone, for staff with `patient::files`.',
    type: [PatientMerge],
    resolve: ({ id }, _args, ctx) => listMerges(ctx, id),
  }),
)

builder.queryField('mergePreview', (t) =>
  t.field({
    description: 'The two patients of a merge, side by side; the reading is recorded.',
    type: MergePreview,
    authScopes: { $all: { staff: true, feature: 'patient::files' } },
    args: { survivorId: t.arg.id({ required: true }), mergedId: t.arg.id({ required: true }) },
    resolve: (_root, args, ctx) => previewMerge(ctx, args),
  }),
)

builder.mutationFields((t) => ({
  mergePatients: t.field({
    description:
      'Merges a patient into another, who gets the referrals, the uploads and the news. Requires a fresh proof of identity. Fails with CONFLICT if they have two valid CNPs, or if an institution would see an upload or news that it did not see before.',
    type: Patient,
    authScopes: { $all: { staff: true, feature: 'patient::files' } },
    args: {
      survivorId: t.arg.id({ required: true }),
      survivorVersion: t.arg.int({ required: true }),
      mergedId: t.arg.id({ required: true }),
      mergedVersion: t.arg.int({ required: true }),
      take: t.arg({
        description: 'The values that the survivor takes over from the merged patient.',
        type: [PatientField],
      }),
      keepSurname: t.arg.boolean({
        description: 'The surname that is not kept becomes the previous surname.',
      }),
    },
    resolve: (_root, args, ctx) => mergePatients(ctx, args),
  }),
  undoMerge: t.field({
    description:
      'Undoes a merge within thirty days: what it moved and changed returns, also referrals that were granted since by its CNP; uploads and news since stay with the survivor. Requires a fresh proof of identity. Fails with CONFLICT if values that it set have changed since, unless `keepChanges`.',
    type: UndoneMerge,
    authScopes: { $all: { staff: true, feature: 'patient::files' } },
    args: {
      id: t.arg.id({ required: true }),
      keepChanges: t.arg.boolean({ description: 'Keeps the values that have changed since the merge.' }),
    },
    resolve: (_root, args, ctx) => undoMerge(ctx, args),
  }),
}))
