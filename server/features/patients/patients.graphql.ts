import { CHANNELS } from '../../../shared/patients.ts'
import { maskCnp, SEXES } from '../../../shared/romania/cnp.ts'
import { SEARCH_REASONS } from '../../../shared/search-reasons.ts'
import { builder } from '../../graphql/builder.ts'
import { pageArgs, pageType } from '../../graphql/connections.ts'
import { VERSION, versionArg } from '../../graphql/describe.ts'
import { staffOrNull } from '../../graphql/hidden-fields.ts'
import { selectedFields } from '../../graphql/selection.ts'
import { createPatient } from './create-patient.ts'
import { createReferral } from './create-referral.ts'
import { findPatientByCnp, listPatients, type PatientList } from './list-patients.ts'
import { listReferrals } from './list-referrals.ts'
import { canEditPatients } from './patients.access.ts'
import type { PatientRow, ReferralRow } from './patients.db.ts'
import { readPatient, revealCnp } from './read-patient.ts'
import type { RowReason } from './search/search-reason.ts'
import { updatePatient } from './update-patient.ts'

export const SexType = builder.enumType('Sex', {
  description: 'As in the CNP.',
  values: SEXES,
})

const ChannelType = builder.enumType('PreferredChannel', {
  description: 'How a patient prefers to be notified.',
  values: CHANNELS,
})

export const Referral = builder.objectRef<ReferralRow>('Referral').implement({
  description: 'An institution has referred a patient.',
  fields: (t) => ({
    id: t.exposeID('id'),
    institutionId: t.exposeID('institution_id'),
    institutionName: t.exposeString('institution_name'),
    institutionSuspended: t.exposeBoolean('institution_suspended', {
      description: 'Whether the institution is suspended.',
    }),
    doctor: t.exposeString('doctor', { description: 'The referring doctor.', nullable: true }),
    referredOn: t.expose('referred_on', {
      description: 'The date on the referral.',
      type: 'Date',
      nullable: true,
    }),
    number: t.exposeString('number', { description: 'The number of the referral.', nullable: true }),
    endedOn: t.expose('ended_on', {
      description:
        'The day on which it ended; the institution sees no result released after its end. Null if it has not.',
      type: 'Date',
      nullable: true,
    }),
    isMistaken: t.exposeBoolean('mistaken', {
      description: 'It was never right, and shows the institution nothing.',
    }),
    version: t.exposeInt('version', VERSION),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
  }),
})

const PatientAbilities = builder.objectRef<{ edit: boolean }>('PatientAbilities').implement({
  description: 'What the reader may do with a patient.',
  fields: (t) => ({ edit: t.exposeBoolean('edit') }),
})

export const Patient = builder.objectRef<PatientRow>('Patient').implement({
  description: 'A patient.',
  fields: (t) => {
    /** A field that institutions do not see: contact data and notes are for staff only. */
    const staffOnly = (
      column: 'phone' | 'email' | 'county' | 'locality' | 'address' | 'notes',
      description?: string,
    ) =>
      t.string({
        ...staffOrNull,
        ...(description && { description }),
        nullable: true,
        resolve: (patient) => patient[column],
      })
    return {
      id: t.exposeID('id'),
      number: t.exposeInt('number', { description: 'Drawn at random; for people.' }),
      surname: t.exposeString('surname'),
      givenNames: t.exposeString('given_names'),
      name: t.string({
        description: 'The surname, then the given names.',
        resolve: ({ surname, given_names }) => `${surname} ${given_names}`,
      }),
      previousSurname: t.exposeString('previous_surname', {
        description: 'Null if there is none.',
        nullable: true,
      }),
      cnpMasked: t.string({
        description:
          'The personal number with most digits hidden; `revealCnp` returns it whole. Null if it is unknown.',
        nullable: true,
        resolve: ({ cnp }) => (cnp ? maskCnp(cnp) : null),
      }),
      birthDate: t.expose('birth_date', { type: 'Date', nullable: true }),
      sex: t.expose('sex', { type: SexType, nullable: true }),
      phone: staffOnly('phone'),
      email: staffOnly('email'),
      county: staffOnly('county', 'The name of the county.'),
      locality: staffOnly('locality'),
      address: staffOnly('address'),
      preferredChannel: t.field({
        ...staffOrNull,
        type: ChannelType,
        nullable: true,
        resolve: ({ preferred_channel }) => preferred_channel,
      }),
      notes: staffOnly('notes'),
      version: t.exposeInt('version', VERSION),
      createdAt: t.expose('created_at', { type: 'DateTime' }),
      updatedAt: t.expose('updated_at', { type: 'DateTime' }),
      referrals: t.field({
        description: 'Those of institutions that the reader may see, newest first.',
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

/** The fields that need no more than a `line` of a list. */
const LINE_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'number',
  'surname',
  'givenNames',
  'name',
  'cnpMasked',
  'birthDate',
  'phone',
  'locality',
])

const PatientPage = pageType<PatientRow, PatientList>('PatientPage', Patient)

const SearchReasonKindType = builder.enumType('SearchReasonKind', {
  description: 'What a row was found by, where the row does not show it by itself.',
  values: SEARCH_REASONS,
})

export const SearchReason = builder.objectRef<RowReason>('SearchReason').implement({
  description: 'Why a search has found a row.',
  fields: (t) => ({
    rowId: t.exposeID('rowId', { description: 'The id of the row.' }),
    kind: t.expose('kind', { type: SearchReasonKindType }),
    text: t.exposeString('text', { description: 'For people, in Romanian.' }),
  }),
})

/** The description of every list of reasons. */
export const REASONS =
  'Of the rows whose name does not say why they were found. If the names are near ones, nothing matches exactly.'

builder.objectField(PatientPage, 'reasons', (t) =>
  t.field({ description: REASONS, type: [SearchReason], resolve: ({ reasons }) => reasons }),
)

builder.objectField(PatientPage, 'isCut', (t) =>
  t.exposeBoolean('isCut', {
    description: 'The digits match more patients than are searched: the list is incomplete.',
  }),
)

const PatientInput = builder.inputType('PatientInput', {
  description: 'The details of a patient, all of which are replaced. A blank text is stored as null.',
  fields: (t) => ({
    surname: t.string({ required: true }),
    givenNames: t.string({ required: true }),
    previousSurname: t.string(),
    cnp: t.string({
      description: 'The personal number, with a valid check digit; it decides the birth date and the sex.',
    }),
    birthDate: t.string({
      description: 'yyyy-MM-dd; ignored if the CNP contains it. A text, so that an error names the field.',
    }),
    sex: t.field({ description: 'Ignored if the CNP contains it.', type: SexType }),
    phone: t.string(),
    email: t.string(),
    county: t.string({ description: 'The name of the county.' }),
    locality: t.string(),
    address: t.string(),
    preferredChannel: t.field({ type: ChannelType }),
    notes: t.string(),
  }),
})

const ReferralInput = builder.inputType('ReferralInput', {
  description: 'A new referral.',
  fields: (t) => ({
    patientId: t.id({ required: true }),
    institutionId: t.id({ required: true }),
    doctor: t.string(),
    referredOn: t.string({
      description: 'yyyy-MM-dd, not in the future. A text, so that an error names the field.',
    }),
    number: t.string({ description: 'The number of the referral.' }),
  }),
})

builder.queryFields((t) => ({
  patients: t.field({
    description:
      'Patients that the reader may see: the newest first or, with `search`, by name. The reading is recorded.',
    type: PatientPage,
    authScopes: { signedIn: true },
    args: {
      ...pageArgs(t),
      search: t.arg.string({
        description:
          'Beginnings of words of the name, also with a birth date or year and (for staff) a locality; a birth date; or at least three digits that begin or end the CNP, are the number or (for staff) end the phone number.',
      }),
      institutionId: t.arg.id({
        description:
          'Only patients whom this institution has referred, also by a referral that has ended; not searched by phone.',
      }),
    },
    resolve: (_root, args, ctx, info) =>
      listPatients(ctx, args, selectedFields(info, 'nodes').isSubsetOf(LINE_FIELDS) ? 'line' : 'whole'),
  }),
  patient: t.field({
    description: 'A patient that the reader may see; the reading is recorded.',
    type: Patient,
    authScopes: { signedIn: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => readPatient(ctx, id),
  }),
}))

builder.mutationFields((t) => ({
  createPatient: t.field({
    description: 'Adds a patient. Fails with BAD_USER_INPUT if another patient has the CNP.',
    type: Patient,
    authScopes: { staff: true },
    args: {
      patient: t.arg({ type: PatientInput, required: true }),
      distinctFrom: t.arg.idList({
        description: 'Patients that are other people, although they may look like duplicates; at most 20.',
      }),
    },
    resolve: (_root, args, ctx) => createPatient(ctx, args),
  }),
  updatePatient: t.field({
    description: 'Changes a patient.',
    type: Patient,
    authScopes: { staff: true },
    args: {
      id: t.arg.id({ required: true }),
      version: versionArg(t),
      patient: t.arg({ type: PatientInput, required: true }),
    },
    resolve: (_root, args, ctx) => updatePatient(ctx, args),
  }),
  createReferral: t.field({
    description: 'Records that an institution has referred a patient.',
    type: Patient,
    authScopes: { staff: true },
    args: { referral: t.arg({ type: ReferralInput, required: true }) },
    resolve: (_root, { referral }, ctx) => createReferral(ctx, referral),
  }),
  revealCnp: t.field({
    description: "A patient's whole CNP; null if it is unknown. A mutation, because each access is recorded.",
    type: 'String',
    nullable: true,
    authScopes: { signedIn: true },
    args: { patientId: t.arg.id({ required: true }) },
    resolve: (_root, { patientId }, ctx) => revealCnp(ctx, patientId),
  }),
  findPatientByCnp: t.field({
    description:
      'The patient with this CNP; null if there is none or the CNP is invalid. A mutation, because a CNP must not be part of an address and each access is recorded.',
    type: Patient,
    nullable: true,
    authScopes: { staff: true },
    args: { cnp: t.arg.string({ required: true }) },
    resolve: (_root, { cnp }, ctx) => findPatientByCnp(ctx, cnp),
  }),
}))
