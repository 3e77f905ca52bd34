import { CHANNELS } from '../../../shared/patients.ts'
import { maskCnp, SEXES } from '../../../shared/romania/cnp.ts'
import { builder } from '../../graphql/builder.ts'
import { pageArgs, pageType } from '../../graphql/connections.ts'
import { createPatient } from './create-patient.ts'
import { createReferral } from './create-referral.ts'
import { findPatientByCnp, listPatients, type PatientList } from './list-patients.ts'
import { listReferrals } from './list-referrals.ts'
import { canEditPatients } from './patients.access.ts'
import type { PatientRow, ReferralRow } from './patients.db.ts'
import { readPatient, revealCnp } from './read-patient.ts'
import { updatePatient } from './update-patient.ts'

export const SexType = builder.enumType('Sex', {
  description: 'As in the CNP.',
  values: SEXES,
})

const ChannelType = builder.enumType('PreferredChannel', {
  description: 'How a patient prefers to be notified.',
  values: CHANNELS,
})

const Referral = builder.objectRef<ReferralRow>('Referral').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    institutionId: t.exposeID('institution_id'),
    institutionName: t.exposeString('institution_name'),
    institutionSuspended: t.exposeBoolean('institution_suspended'),
    doctor: t.exposeString('doctor', { nullable: true }),
    referredOn: t.expose('referred_on', { type: 'Date', nullable: true }),
    number: t.exposeString('number', { nullable: true }),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
  }),
})

const PatientAbilities = builder.objectRef<{ edit: boolean }>('PatientAbilities').implement({
  fields: (t) => ({ edit: t.exposeBoolean('edit') }),
})

export const Patient = builder.objectRef<PatientRow>('Patient').implement({
  fields: (t) => {
    /** A field that institutions do not see: contact data and notes are for staff only. */
    const staffOnly = (column: 'phone' | 'email' | 'county' | 'locality' | 'address' | 'notes') =>
      t.string({
        nullable: true,
        resolve: (patient, _args, { actor }) => (canEditPatients(actor) ? patient[column] : null),
      })
    return {
      id: t.exposeID('id'),
      number: t.exposeInt('number'),
      surname: t.exposeString('surname'),
      givenNames: t.exposeString('given_names'),
      name: t.string({ resolve: ({ surname, given_names }) => `${surname} ${given_names}` }),
      previousSurname: t.exposeString('previous_surname', { nullable: true }),
      cnpMasked: t.string({ nullable: true, resolve: ({ cnp }) => (cnp ? maskCnp(cnp) : null) }),
      birthDate: t.expose('birth_date', { type: 'Date', nullable: true }),
      sex: t.expose('sex', { type: SexType, nullable: true }),
      phone: staffOnly('phone'),
      email: staffOnly('email'),
      county: staffOnly('county'),
      locality: staffOnly('locality'),
      address: staffOnly('address'),
      preferredChannel: t.field({
        type: ChannelType,
        nullable: true,
        resolve: ({ preferred_channel }, _args, { actor }) =>
          canEditPatients(actor) ? preferred_channel : null,
      }),
      notes: staffOnly('notes'),
      version: t.exposeInt('version'),
      createdAt: t.expose('created_at', { type: 'DateTime' }),
      updatedAt: t.expose('updated_at', { type: 'DateTime' }),
      referrals: t.field({
        type: [Referral],
        resolve: ({ id }, _args, ctx) => listReferrals(ctx, id),
      }),
      can: t.field({
        type: PatientAbilities,
        resolve: (_patient, _args, { actor }) => ({ edit: canEditPatients(actor) }),
      }),
    }
  },
})

const PatientPage = pageType<PatientRow, PatientList>('PatientPage', Patient)

builder.objectField(PatientPage, 'isCut', (t) =>
  t.exposeBoolean('isCut', {
    description: 'The digits match more patients than are searched: the list is incomplete.',
  }),
)

const PatientInput = builder.inputType('PatientInput', {
  fields: (t) => ({
    surname: t.string({ required: true }),
    givenNames: t.string({ required: true }),
    previousSurname: t.string(),
    cnp: t.string(),
    birthDate: t.string(),
    sex: t.field({ type: SexType }),
    phone: t.string(),
    email: t.string(),
    county: t.string(),
    locality: t.string(),
    address: t.string(),
    preferredChannel: t.field({ type: ChannelType }),
    notes: t.string(),
  }),
})

const ReferralInput = builder.inputType('ReferralInput', {
  fields: (t) => ({
    patientId: t.id({ required: true }),
    institutionId: t.id({ required: true }),
    doctor: t.string(),
    referredOn: t.string(),
    number: t.string(),
  }),
})

builder.queryFields((t) => ({
  patients: t.field({
    type: PatientPage,
    authScopes: { signedIn: true },
    args: { ...pageArgs(t), search: t.arg.string() },
    resolve: (_root, args, ctx) => listPatients(ctx, args),
  }),
  patient: t.field({
    type: Patient,
    authScopes: { signedIn: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => readPatient(ctx, id),
  }),
}))

builder.mutationFields((t) => ({
  createPatient: t.field({
    type: Patient,
    authScopes: { staff: true },
    args: { patient: t.arg({ type: PatientInput, required: true }) },
    resolve: (_root, { patient }, ctx) => createPatient(ctx, patient),
  }),
  updatePatient: t.field({
    type: Patient,
    authScopes: { staff: true },
    args: {
      id: t.arg.id({ required: true }),
      version: t.arg.int({ required: true }),
      patient: t.arg({ type: PatientInput, required: true }),
    },
    resolve: (_root, args, ctx) => updatePatient(ctx, args),
  }),
  createReferral: t.field({
    type: Patient,
    authScopes: { staff: true },
    args: { referral: t.arg({ type: ReferralInput, required: true }) },
    resolve: (_root, { referral }, ctx) => createReferral(ctx, referral),
  }),
  /** A mutation, because a CNP must not be part of an address and each access is recorded. */
  revealCnp: t.field({
    type: 'String',
    nullable: true,
    authScopes: { signedIn: true },
    args: { patientId: t.arg.id({ required: true }) },
    resolve: (_root, { patientId }, ctx) => revealCnp(ctx, patientId),
  }),
  /** The patient with this CNP; null if there is none. */
  findPatientByCnp: t.field({
    type: Patient,
    nullable: true,
    authScopes: { staff: true },
    args: { cnp: t.arg.string({ required: true }) },
    resolve: (_root, { cnp }, ctx) => findPatientByCnp(ctx, cnp),
  }),
}))
