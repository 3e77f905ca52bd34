import type { ChainFault } from '../../../shared/audit/chain-faults.ts'
import type { Outcome } from '../../../shared/audit/outcomes.ts'
import { builder } from '../../graphql/builder.ts'
import { pageArgs, pageType } from '../../graphql/connections.ts'
import type { AuditRow, PersonRow } from './audit.db.ts'
import { findLastVerification, type Verification } from './find-last-verification.ts'
import { findPeople } from './find-people.ts'
import { listAuditEvents } from './list-audit-events.ts'
import { listPatientAccess } from './list-patient-access.ts'
import { maskChanges } from './mask-changes.ts'
import { requestVerification } from './request-verification.ts'

const OutcomeType = builder.enumType('AuditOutcome', {
  description: 'How a recorded action ended.',
  values: {
    ok: { description: 'It was done.' },
    denied: { description: 'The user was not allowed to.' },
    failed: { description: 'It was allowed but could not be done.' },
  } satisfies Record<Outcome, object>,
})

const AuditEvent = builder.objectRef<AuditRow>('AuditEvent').implement({
  fields: (t) => ({
    id: t.id({ resolve: ({ id }) => String(id) }),
    at: t.expose('at', { type: 'DateTime' }),
    actorId: t.exposeID('actor_id', { nullable: true }),
    actorName: t.exposeString('actor_name'),
    role: t.exposeString('role', { nullable: true }),
    action: t.exposeString('action'),
    subjectType: t.exposeString('subject_type', { nullable: true }),
    subjectId: t.exposeID('subject_id', { nullable: true }),
    patientId: t.exposeID('patient_id', { nullable: true }),
    patientName: t.exposeString('patient_name', { nullable: true }),
    /** The number of rows that a list showed. */
    shownCount: t.exposeInt('shown_count'),
    outcome: t.expose('outcome', { type: OutcomeType }),
    /** CNPs are masked, also in entries written before CNPs were masked on writing. */
    changes: t.field({ type: 'JSON', nullable: true, resolve: ({ changes }) => maskChanges(changes) }),
    ip: t.exposeString('ip', { nullable: true }),
  }),
})

const AuditEventPage = pageType('AuditEventPage', AuditEvent)

const AuditPerson = builder.objectRef<PersonRow>('AuditPerson').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    email: t.exposeString('email'),
  }),
})

const ChainFaultType = builder.objectRef<ChainFault>('AuditChainFault').implement({
  fields: (t) => ({
    kind: t.exposeString('kind'),
    /** The id of the affected entry. */
    entryId: t.id({ nullable: true, resolve: ({ entryId }) => entryId }),
    position: t.exposeFloat('position', { nullable: true }),
    count: t.exposeFloat('count'),
  }),
})

const VerificationType = builder.objectRef<Verification>('AuditVerification').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    startedAt: t.expose('started_at', { type: 'DateTime' }),
    finishedAt: t.expose('finished_at', { type: 'DateTime' }),
    /** The number of entries checked. */
    checked: t.exposeFloat('checked'),
    /** Null for the nightly verification. */
    askedBy: t.exposeString('asked_by_name', { nullable: true }),
    faults: t.field({
      type: [ChainFaultType],
      resolve: ({ faults }) => faults as unknown as ChainFault[],
    }),
  }),
})

builder.queryFields((t) => ({
  auditEvents: t.field({
    type: AuditEventPage,
    authScopes: { staff: true },
    args: {
      ...pageArgs(t),
      from: t.arg({ type: 'Date' }),
      to: t.arg({ type: 'Date' }),
      actorId: t.arg.id(),
      action: t.arg.string(),
      patientId: t.arg.id(),
      outcome: t.arg({ type: OutcomeType }),
      withoutReads: t.arg.boolean(),
    },
    resolve: (_root, args, ctx) => listAuditEvents(ctx, args),
  }),
  /** Returns who opened, downloaded or changed data of a patient. */
  patientAccess: t.field({
    type: AuditEventPage,
    authScopes: { admin: true },
    args: { ...pageArgs(t), patientId: t.arg.id({ required: true }) },
    resolve: (_root, args, ctx) => listPatientAccess(ctx, args),
  }),
  /** Returns the people whose entries can be filtered by; with an `id` only that person. */
  auditPeople: t.field({
    type: [AuditPerson],
    authScopes: { admin: true },
    args: { search: t.arg.string(), id: t.arg.id() },
    resolve: (_root, args, ctx) => findPeople(ctx, args),
  }),
  /** Returns the result of the last verification of the chain; null before the first. */
  lastAuditVerification: t.field({
    type: VerificationType,
    nullable: true,
    authScopes: { admin: true },
    resolve: (_root, _args, ctx) => findLastVerification(ctx),
  }),
}))

builder.mutationFields((t) => ({
  /** Returns immediately; the result is in `lastAuditVerification` when the verification has finished. */
  verifyAudit: t.field({
    type: 'Boolean',
    authScopes: { admin: true },
    resolve: async (_root, _args, ctx) => {
      await requestVerification(ctx)
      return true
    },
  }),
}))
