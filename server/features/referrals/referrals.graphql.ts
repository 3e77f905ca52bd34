import { builder } from '../../graphql/builder.ts'
import { versionArg } from '../../graphql/describe.ts'
import { staffOrNull } from '../../graphql/hidden-fields.ts'
import { Patient } from '../patients/patients.graphql.ts'
import { findNotShown, type NotShown as NotShownRow } from '../uploads/of-patient/uploads-of-patient.ts'
import { Upload } from '../uploads/uploads.graphql.ts'
import { type UpdatedReferral as UpdatedReferralRow, updateReferral } from './update-referral.ts'

const UpdatedReferral = builder.objectRef<UpdatedReferralRow>('UpdatedReferral').implement({
  authScopes: { staff: true },
  description: 'A patient after one of the referrals has changed.',
  fields: (t) => ({
    patient: t.expose('patient', { type: Patient }),
    uploadsNoLongerShown: t.intList({
      description:
        'The numbers of uploads that the institution saw, or would have seen after their release, and no longer does. Empty without `patient::files`.',
      resolve: ({ noLongerShown }) => noLongerShown.map(({ number }) => number),
    }),
  }),
})

const NotShown = builder.objectRef<NotShownRow>('NotShown').implement({
  authScopes: { staff: true },
  description: 'Why the institution of an upload does not see it, or will not after its release.',
  fields: (t) => ({
    reason: t.exposeString('reason', {
      description:
        '`ended`: its referrals have ended; `mistaken`: they were never right; `missing`: it has none.',
    }),
    endedOn: t.expose('endedOn', {
      description: 'The day of the last end; only of `ended`.',
      type: 'Date',
      nullable: true,
    }),
  }),
})

builder.objectField(Upload, 'notShown', (t) =>
  t.field({
    ...staffOrNull,
    description:
      'Why no referral of the patient shows it to its institution, now or after its release. Null if one does, and without a patient or institution.',
    type: NotShown,
    nullable: true,
    resolve: (upload, _args, ctx) => findNotShown(ctx, upload),
  }),
)

const ReferralChangesInput = builder.inputType('ReferralChangesInput', {
  description: 'The details of a referral, all of which are replaced. A blank text is stored as null.',
  fields: (t) => ({
    institutionId: t.id({ required: true }),
    doctor: t.string(),
    referredOn: t.string({
      description: 'yyyy-MM-dd, not in the future. A text, so that an error names the field.',
    }),
    number: t.string({ description: 'The number of the referral.' }),
    endedOn: t.string({
      description:
        'yyyy-MM-dd, not in the future: today ends the referral at once, an earlier day at its end. Null opens it again.',
    }),
    isMistaken: t.boolean({
      description:
        'It was never right: the institution sees nothing by it. Ends it today if no day is given.',
    }),
  }),
})

builder.mutationField('updateReferral', (t) =>
  t.field({
    description:
      'Changes a referral, ends it or opens it again. The institution sees no result that is released after the end.',
    type: UpdatedReferral,
    authScopes: { staff: true },
    args: {
      id: t.arg.id({ required: true }),
      version: versionArg(t),
      referral: t.arg({ type: ReferralChangesInput, required: true }),
    },
    resolve: (_root, args, ctx) => updateReferral(ctx, args),
  }),
)
