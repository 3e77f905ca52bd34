import { LIMITS } from '../../../shared/limits.ts'
import { ACCESS_REFUSALS, ACCESS_REQUEST_STATES } from '../../../shared/requests/access-requests.ts'
import { maskCnp } from '../../../shared/romania/cnp.ts'
import { builder } from '../../graphql/builder.ts'
import { pageArgs, pageType } from '../../graphql/connections.ts'
import type { InstitutionRow } from '../institutions/institutions.db.ts'
import type { AccessRequestRow } from './access-requests.db.ts'
import { acceptAccessRequest, refuseAccessRequest } from './decide-access-request.ts'
import {
  countAccessRequests,
  listAccessRequests,
  listOwnAccessRequests,
  type ReadAccessRequest,
  readAccessRequest,
  readCandidates,
} from './find-access-request.ts'
import type { ComparedPatient } from './propose-patients.ts'
import { listRequestInstitutions, requestAccess } from './request-access.ts'

const StateType = builder.enumType('AccessRequestState', {
  description: 'Whether a request for access was decided.',
  values: ACCESS_REQUEST_STATES,
})

const RefusalType = builder.enumType('AccessRefusal', {
  description: 'Why a request for access was refused. None of them says whether the patient exists.',
  values: ACCESS_REFUSALS,
})

const AccessRequest = builder.objectRef<AccessRequestRow>('AccessRequest').implement({
  description: 'A request of an institution for access to a patient whom it does not find.',
  fields: (t) => ({
    id: t.exposeID('id'),
    institutionId: t.exposeID('institution_id'),
    institutionName: t.exposeString('institution_name'),
    authorName: t.exposeString('author_name', {
      description: 'Who has sent it; null for an institution where that user no longer is.',
      nullable: true,
    }),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    surname: t.exposeString('surname', { description: 'As it was typed, like all that follows.' }),
    givenNames: t.exposeString('given_names'),
    birthDate: t.expose('birth_date', { type: 'Date' }),
    cnpMasked: t.exposeString('cnp_masked', {
      description: 'The personal number with most digits hidden.',
      nullable: true,
    }),
    purpose: t.exposeString('purpose', { description: 'What the access is for.' }),
    doctor: t.exposeString('doctor', { description: 'The referring doctor.', nullable: true }),
    number: t.exposeString('number', { description: 'The number of the referral.', nullable: true }),
    state: t.expose('state', { type: StateType }),
    decidedAt: t.expose('decided_at', { type: 'DateTime', nullable: true }),
    patientId: t.exposeID('patient_id', {
      description: 'Of an accepted request; a patient merged since then leads to the other.',
      nullable: true,
    }),
    refusal: t.expose('refusal', { type: RefusalType, nullable: true }),
    refusalNote: t.exposeString('refusal_note', {
      description: 'What staff have written to the institution.',
      nullable: true,
    }),
  }),
})

const AccessRequestPage = pageType('AccessRequestPage', AccessRequest)

const RequestInstitution = builder.objectRef<InstitutionRow>('RequestInstitution').implement({
  description: 'An institution in whose name the reader may request access.',
  fields: (t) => ({ id: t.exposeID('id'), name: t.exposeString('name') }),
})

const AccessCandidate = builder.objectRef<ComparedPatient>('AccessCandidate').implement({
  authScopes: { staff: true },
  description: 'A patient whom a request for access may be about.',
  fields: (t) => ({
    id: t.id({ resolve: ({ person }) => person.id }),
    number: t.int({ resolve: ({ person }) => person.number }),
    name: t.string({
      description: 'The surname, then the given names.',
      resolve: ({ person }) => `${person.surname} ${person.given_names}`,
    }),
    cnpMasked: t.string({
      nullable: true,
      resolve: ({ person }) => (person.cnp === null ? null : maskCnp(person.cnp)),
    }),
    birthDate: t.field({ type: 'Date', nullable: true, resolve: ({ person }) => person.birth_date }),
    agrees: t.exposeStringList('agrees', {
      description: 'Which details of the request are those of the patient: `cnp`, `name`, `birth-date`.',
    }),
    disagrees: t.exposeStringList('disagrees', {
      description: 'Which are not: `cnp`, `name`, `birth-date`.',
    }),
    isReferred: t.exposeBoolean('isReferred', {
      description: 'Whether the institution has referred the patient already.',
    }),
  }),
})

const OpenedAccessRequest = builder.objectRef<ReadAccessRequest>('OpenedAccessRequest').implement({
  authScopes: { staff: true },
  description: 'A request for access with what staff need to decide it.',
  fields: (t) => ({
    request: t.expose('request', { type: AccessRequest }),
    cnp: t.exposeString('cnp', { description: 'The whole personal number.', nullable: true }),
    candidates: t.field({
      description: 'The patients whom it may be about; none for a request that was decided.',
      type: [AccessCandidate],
      extensions: { cost: 20 },
      resolve: (opened, _args, ctx) => readCandidates(ctx, opened),
    }),
  }),
})

builder.queryFields((t) => ({
  requestInstitutions: t.field({
    description: "The reader's institutions, to choose for which one access is requested.",
    type: [RequestInstitution],
    authScopes: { institution: true },
    resolve: (_root, _args, ctx) => listRequestInstitutions(ctx),
  }),
  accessRequests: t.field({
    description: 'The requests for access that wait for a decision, the oldest first.',
    type: AccessRequestPage,
    authScopes: { staff: true },
    args: {
      ...pageArgs(t),
      decided: t.arg.boolean({ description: 'Those that were decided instead, the last first.' }),
    },
    resolve: (_root, args, ctx) => listAccessRequests(ctx, args),
  }),
  accessRequestCount: t.int({
    description: 'How many requests for access wait for a decision, at most 1,000.',
    authScopes: { staff: true },
    resolve: (_root, _args, ctx) => countAccessRequests(ctx),
  }),
  accessRequest: t.field({
    description:
      'A request for access to decide. The reading is recorded, with `candidates` for each of them.',
    type: OpenedAccessRequest,
    authScopes: { staff: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => readAccessRequest(ctx, id),
  }),
  ownAccessRequests: t.field({
    description: "The requests for access of the reader's institutions, the newest first.",
    type: AccessRequestPage,
    authScopes: { institution: true },
    args: pageArgs(t),
    resolve: (_root, args, ctx) => listOwnAccessRequests(ctx, args),
  }),
}))

const AccessRequestInput = builder.inputType('AccessRequestInput', {
  description: 'What an institution knows of a patient whom it does not find.',
  fields: (t) => ({
    institutionId: t.id({ description: "One of the reader's institutions.", required: true }),
    surname: t.string({ required: true }),
    givenNames: t.string({ required: true }),
    birthDate: t.string({ description: 'yyyy-MM-dd; that of the CNP, if there is one.' }),
    cnp: t.string({ description: 'Its check digit is verified.' }),
    purpose: t.string({ description: 'What the access is for.', required: true }),
    doctor: t.string({ description: 'The referring doctor.' }),
    number: t.string({ description: 'The number of the referral.' }),
  }),
})

builder.mutationFields((t) => ({
  requestAccess: t.boolean({
    description: `Sends a request for access to the organisation. The answer is always true: it does not depend on whether the patient exists. TOO_MANY after ${LIMITS.accessRequestsOfUser} requests of the user or ${LIMITS.accessRequestsOfInstitution} of the institution in 24 hours.`,
    authScopes: { institution: true },
    args: { request: t.arg({ type: AccessRequestInput, required: true }) },
    resolve: (_root, { request }, ctx) => requestAccess(ctx, request),
  }),
  acceptAccessRequest: t.field({
    description:
      'Accepts a request for access: the institution gets a referral of the patient. CONFLICT if it was decided otherwise.',
    type: AccessRequest,
    authScopes: { staff: true },
    args: {
      id: t.arg.id({ required: true }),
      patientId: t.arg.id({ required: true }),
      doctor: t.arg.string({ description: 'Of the referral.' }),
      number: t.arg.string({ description: 'Of the referral.' }),
      referredOn: t.arg.string({ description: 'The day of the referral, yyyy-MM-dd.' }),
    },
    resolve: (_root, args, ctx) => acceptAccessRequest(ctx, args),
  }),
  refuseAccessRequest: t.field({
    description: 'Refuses a request for access. CONFLICT if it was decided otherwise.',
    type: AccessRequest,
    authScopes: { staff: true },
    args: {
      id: t.arg.id({ required: true }),
      refusal: t.arg({ type: RefusalType, required: true }),
      note: t.arg.string({ description: 'A line of text that the institution reads.' }),
    },
    resolve: (_root, args, ctx) => refuseAccessRequest(ctx, args),
  }),
}))
