import { builder } from '../../graphql/builder.ts'
import { pageArgs, pageType } from '../../graphql/connections.ts'
import type { AuditRow } from './audit.db.ts'
import { listAuditEvents } from './list-audit-events.ts'

const AuditEvent = builder.objectRef<AuditRow>('AuditEvent').implement({
  fields: (t) => ({
    id: t.id({ resolve: ({ id }) => String(id) }),
    at: t.expose('at', { type: 'DateTime' }),
    actorName: t.exposeString('actor_name'),
    role: t.exposeString('role', { nullable: true }),
    action: t.exposeString('action'),
    subjectType: t.exposeString('subject_type', { nullable: true }),
    subjectId: t.exposeID('subject_id', { nullable: true }),
    patientId: t.exposeID('patient_id', { nullable: true }),
    patientName: t.exposeString('patient_name', { nullable: true }),
    /** How many rows a list showed. */
    shownCount: t.exposeInt('shown_count'),
    outcome: t.exposeString('outcome'),
    changes: t.field({ type: 'JSON', nullable: true, resolve: ({ changes }) => changes }),
    ip: t.exposeString('ip', { nullable: true }),
  }),
})

const AuditEventPage = pageType('AuditEventPage', AuditEvent)

builder.queryFields((t) => ({
  auditEvents: t.field({
    type: AuditEventPage,
    authScopes: { staff: true },
    args: { ...pageArgs(t), action: t.arg.string(), patientId: t.arg.id() },
    resolve: (_root, args, ctx) => listAuditEvents(ctx, args),
  }),
}))
