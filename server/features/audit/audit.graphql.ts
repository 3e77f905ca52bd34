import { CHAIN_FAULTS, CHAIN_WARNINGS, type ChainFault } from '../../../shared/audit/chain-faults.ts'
import type { Outcome } from '../../../shared/audit/outcomes.ts'
import { builder } from '../../graphql/builder.ts'
import { pageArgs, pageType } from '../../graphql/connections.ts'
import { listCodes } from '../../graphql/describe.ts'
import type { AuditRow, PersonRow } from './audit.db.ts'
import { findLastVerification, type Verification } from './find-last-verification.ts'
import { findPeople } from './find-people.ts'
import { listAuditEvents } from './list-audit-events.ts'
import { listPatientAccess } from './list-patient-access.ts'
import { maskChanges } from './mask-changes.ts'
import { requestVerification } from './request-verification.ts'

const FAULT_KINDS = listCodes([...CHAIN_FAULTS, ...CHAIN_WARNINGS, 'more'])

const OutcomeType = builder.enumType('AuditOutcome', {
  description: 'How a recorded action ended.',
  values: {
    ok: { description: 'It was done.' },
    denied: { description: 'The user was not allowed to.' },
    failed: { description: 'It was allowed but could not be done.' },
  } satisfies Record<Outcome, object>,
})

const AuditEvent = builder.objectRef<AuditRow>('AuditEvent').implement({
  authScopes: { staff: true },
  description: 'An entry of the audit log, as it was written.',
  fields: (t) => ({
    id: t.id({ resolve: ({ id }) => String(id) }),
    at: t.expose('at', { type: 'DateTime' }),
    actorId: t.exposeID('actor_id', {
      description: 'Null if no user acted, as in a failed sign-in or a job.',
      nullable: true,
    }),
    actorName: t.exposeString('actor_name', {
      description: 'The name at that time; empty for a failed sign-in.',
    }),
    role: t.exposeString('role', {
      description:
        "The user's role at that time; no enum, since old entries keep roles that no longer exist. Null without a user.",
      nullable: true,
    }),
    action: t.exposeString('action', {
      description: 'A code such as `patient.read`; no enum, since a name may not contain `.`.',
    }),
    subjectType: t.exposeString('subject_type', {
      description: 'What `subjectId` names: `user`, `patient`, `upload` …; null without a subject.',
      nullable: true,
    }),
    subjectId: t.exposeID('subject_id', { nullable: true }),
    patientId: t.exposeID('patient_id', {
      description: 'The patient whose data it concerns; null if none.',
      nullable: true,
    }),
    patientName: t.exposeString('patient_name', {
      description: 'The current name of that patient.',
      nullable: true,
    }),
    shownCount: t.exposeInt('shown_count', { description: 'The number of rows that a list showed.' }),
    outcome: t.expose('outcome', { type: OutcomeType }),
    changes: t.field({
      description: 'The changed fields, each with `from` and `to`; null if nothing changed. CNPs are masked.',
      type: 'JSON',
      nullable: true,
      resolve: ({ changes }) => maskChanges(changes),
    }),
    ip: t.exposeString('ip', {
      description: 'The address that the request came from; null without a request.',
      nullable: true,
    }),
  }),
})

const AuditEventPage = pageType('AuditEventPage', AuditEvent)

const AuditPerson = builder.objectRef<PersonRow>('AuditPerson').implement({
  authScopes: { admin: true },
  description: 'A user whose entries the audit log can be filtered by.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    email: t.exposeString('email'),
  }),
})

const ChainFaultType = builder.objectRef<ChainFault>('AuditChainFault').implement({
  authScopes: { admin: true },
  description: 'A fault or a warning that a verification of the audit log has found.',
  fields: (t) => ({
    kind: t.exposeString('kind', {
      description: `One of ${FAULT_KINDS}; no enum, since a name may not contain \`-\`.`,
    }),
    entryId: t.id({
      description: 'The affected entry; null if there is none.',
      nullable: true,
      resolve: ({ entryId }) => entryId,
    }),
    position: t.exposeFloat('position', {
      description:
        "The entry's position in the chain, or that of the checkpoint that does not match; null if unknown.",
      nullable: true,
    }),
    count: t.exposeFloat('count', { description: 'How many entries are affected.' }),
  }),
})

const VerificationType = builder.objectRef<Verification>('AuditVerification').implement({
  authScopes: { admin: true },
  description: 'The result of a verification of the audit log.',
  fields: (t) => ({
    id: t.exposeID('id'),
    startedAt: t.expose('started_at', { type: 'DateTime' }),
    finishedAt: t.expose('finished_at', { type: 'DateTime' }),
    checked: t.exposeFloat('checked', { description: 'The number of entries checked.' }),
    askedBy: t.exposeString('asked_by_name', {
      description: 'Who requested it; null for the nightly verification.',
      nullable: true,
    }),
    faults: t.field({
      description: 'Empty if every entry is as it was written.',
      type: [ChainFaultType],
      resolve: ({ faults }) => faults as unknown as ChainFault[],
    }),
  }),
})

builder.queryFields((t) => ({
  auditEvents: t.field({
    description:
      'Entries of the audit log, newest first: all for administrators, their own for other staff. The reading is recorded too.',
    type: AuditEventPage,
    authScopes: { staff: true },
    args: {
      ...pageArgs(t),
      from: t.arg({ description: 'The first day in Romania.', type: 'Date' }),
      to: t.arg({ description: 'The last day in Romania.', type: 'Date' }),
      actorId: t.arg.id({ description: 'Only entries of this user.' }),
      action: t.arg.string({ description: 'Only entries with this code; none for an unknown one.' }),
      patientId: t.arg.id({ description: 'Only entries about this patient.' }),
      outcome: t.arg({ type: OutcomeType }),
      withoutReads: t.arg.boolean({
        description: 'Leaves out entries that only record the reading of a list.',
      }),
    },
    resolve: (_root, args, ctx) => listAuditEvents(ctx, args),
  }),
  patientAccess: t.field({
    description:
      'Who opened, downloaded or changed data of a patient, newest first. The reading is recorded too.',
    type: AuditEventPage,
    authScopes: { admin: true },
    args: { ...pageArgs(t), patientId: t.arg.id({ required: true }) },
    resolve: (_root, args, ctx) => listPatientAccess(ctx, args),
  }),
  auditPeople: t.field({
    description: 'Users whose entries can be filtered by, at most one page.',
    type: [AuditPerson],
    authScopes: { admin: true },
    args: {
      search: t.arg.string({ description: 'Beginnings of words of the name or the address.' }),
      id: t.arg.id({ description: 'Only this user, and no search.' }),
    },
    resolve: (_root, args, ctx) => findPeople(ctx, args),
  }),
  lastAuditVerification: t.field({
    description: 'The result of the last verification of the audit log; null before the first.',
    type: VerificationType,
    nullable: true,
    authScopes: { admin: true },
    resolve: (_root, _args, ctx) => findLastVerification(ctx),
  }),
}))

builder.mutationFields((t) => ({
  verifyAudit: t.field({
    description:
      'Requests a verification of the whole audit log and returns at once; the result is in `lastAuditVerification` when it has finished.',
    type: 'Boolean',
    authScopes: { admin: true },
    resolve: async (_root, _args, ctx) => {
      await requestVerification(ctx)
      return true
    },
  }),
}))
