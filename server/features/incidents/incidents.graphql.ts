import { deadlineOf } from '../../../shared/incidents/incidents.ts'
import { ACCEPT_REASONS } from '../../../shared/reviews/accept-reasons.ts'
import { builder } from '../../graphql/builder.ts'
import { pageArgs, pageType } from '../../graphql/connections.ts'
import { listCodes, VERSION, versionArg } from '../../graphql/describe.ts'
import { staffOrEmpty } from '../../graphql/hidden-fields.ts'
import { Opening, type ShownOpening } from '../uploads/released/openings.graphql.ts'
import { Upload } from '../uploads/uploads.graphql.ts'
import { answerDeletionRequest, listDeletionRequests } from './answer-deletion-request.ts'
import {
  addIncidentNote,
  closeIncident,
  listNotes,
  listRequestsOf,
  reopenIncident,
  saveIncidentNotices,
} from './change-incident.ts'
import type { IncidentRequestRow, RequestRow } from './deletion-requests.db.ts'
import { findIncidentsOf, listIncidents, readIncident } from './find-incident.ts'
import { canManageIncidents } from './incidents.access.ts'
import type { IncidentRow, NoteRow } from './incidents.db.ts'
import { moveReleasedUpload } from './move-released-upload.ts'
import { isWrongInstitution } from './open-incident.ts'

const requestFields = {
  description: 'A request to an institution to delete a result that was released by mistake.',
} as const

const DeletionRequest = builder.objectRef<RequestRow>('DeletionRequest').implement({
  ...requestFields,
  fields: (t) => ({
    id: t.exposeID('id'),
    uploadNumber: t.exposeInt('upload_number', { description: 'The number of the result; for people.' }),
    releasedAt: t.expose('released_at', { type: 'DateTime' }),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    institutionName: t.exposeString('institution_name'),
    openings: t.field({
      description: "What the institution's users did with the result, so that they find its copies.",
      type: [Opening],
      resolve: ({ openings }) => openings as unknown as ShownOpening[],
    }),
    answeredAt: t.expose('answered_at', {
      description: 'When the institution confirmed that it has deleted the result; null: not yet.',
      type: 'DateTime',
      nullable: true,
    }),
    answeredByName: t.exposeString('answered_by_name', { nullable: true }),
  }),
})

const IncidentRequest = builder.objectRef<IncidentRequestRow>('IncidentRequest').implement({
  authScopes: { staff: true },
  ...requestFields,
  fields: (t) => ({
    id: t.exposeID('id'),
    institutionName: t.exposeString('institution_name'),
    mailed: t.exposeInt('mailed', { description: 'To how many accounts a mail was sent.' }),
    answeredAt: t.expose('answered_at', { type: 'DateTime', nullable: true }),
    answeredByName: t.exposeString('answered_by_name', { nullable: true }),
  }),
})

const IncidentNote = builder.objectRef<NoteRow>('IncidentNote').implement({
  authScopes: { staff: true },
  description: 'What staff have written about an incident.',
  fields: (t) => ({
    id: t.exposeID('id'),
    text: t.exposeString('text'),
    authorName: t.exposeString('author_name'),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
  }),
})

const IncidentPatient = builder
  .objectRef<{ id: string; number: number; name: string }>('IncidentPatient')
  .implement({
    authScopes: { staff: true },
    description: 'A patient of an incident.',
    fields: (t) => ({
      id: t.exposeID('id'),
      number: t.exposeInt('number'),
      name: t.exposeString('name', { description: 'The surname, then the given names.' }),
    }),
  })

const NOTICE = 'One of `notified`, `not-needed`; no enum, since a name may not contain `-`.'

export const Incident = builder.objectRef<IncidentRow>('Incident').implement({
  authScopes: { staff: true },
  description: 'The record of a result that was released for the wrong patient, or to the wrong institution.',
  fields: (t) => ({
    id: t.exposeID('id'),
    number: t.exposeInt('number', { description: 'For people.' }),
    uploadId: t.exposeID('upload_id'),
    uploadNumber: t.exposeInt('upload_number'),
    isWrongInstitution: t.boolean({
      description: 'Released for the right patient to the wrong institution; both patients are the same.',
      resolve: isWrongInstitution,
    }),
    formerPatient: t.field({
      description: 'For whom it was released.',
      type: IncidentPatient,
      resolve: ({ former_patient_id, former_number, former_name }) => ({
        id: former_patient_id,
        number: former_number,
        name: former_name,
      }),
    }),
    patient: t.field({
      description: 'To whom it belongs.',
      type: IncidentPatient,
      resolve: ({ patient_id, patient_number, patient_name }) => ({
        id: patient_id,
        number: patient_number,
        name: patient_name,
      }),
    }),
    formerInstitutionName: t.exposeString('former_institution_name', { nullable: true }),
    category: t.exposeString('category', { description: 'The name, as it was then.', nullable: true }),
    fileCount: t.exposeInt('file_count'),
    releasedAt: t.expose('released_at', { type: 'DateTime' }),
    movedAt: t.expose('moved_at', { type: 'DateTime' }),
    movedByName: t.exposeString('moved_by_name'),
    reason: t.exposeString('reason', { description: 'Why it was moved or corrected.' }),
    discoveredAt: t.expose('discovered_at', { type: 'DateTime' }),
    deadline: t.field({
      description: 'Until when the authority is notified: 72 hours after the discovery.',
      type: 'DateTime',
      resolve: ({ discovered_at }) => deadlineOf(discovered_at),
    }),
    openings: t.field({
      description: 'Who had opened it before it was moved.',
      type: [Opening],
      resolve: ({ openings }) => openings as unknown as ShownOpening[],
    }),
    requests: t.field({ type: [IncidentRequest], resolve: (row, _args, ctx) => listRequestsOf(ctx, row) }),
    notes: t.field({ type: [IncidentNote], resolve: (row, _args, ctx) => listNotes(ctx, row) }),
    authority: t.string({
      description: `Null: not decided. ${NOTICE}`,
      nullable: true,
      resolve: ({ authority }) => authority,
    }),
    authorityAt: t.expose('authority_at', { type: 'DateTime', nullable: true }),
    persons: t.string({
      description: `Null: not decided. ${NOTICE}`,
      nullable: true,
      resolve: ({ persons }) => persons,
    }),
    personsAt: t.expose('persons_at', { type: 'DateTime', nullable: true }),
    closedAt: t.expose('closed_at', { description: 'Null: it is open.', type: 'DateTime', nullable: true }),
    closedByName: t.exposeString('closed_by_name', { nullable: true }),
    closedReason: t.exposeString('closed_reason', { nullable: true }),
    version: t.exposeInt('version', VERSION),
    canManage: t.boolean({
      description: 'Whether the reader may record the notices and close it.',
      resolve: (_row, _args, { actor }) => canManageIncidents(actor),
    }),
  }),
})

const IncidentPage = pageType('IncidentPage', Incident)

builder.objectField(Upload, 'incidents', (t) =>
  t.field({
    ...staffOrEmpty,
    description: 'The incidents of the upload, the newest first; empty for a reader who may not read them.',
    type: [Incident],
    resolve: (upload, _args, ctx) => findIncidentsOf(ctx, upload),
  }),
)

builder.queryFields((t) => ({
  incidents: t.field({
    description: 'The incidents, the newest first.',
    type: IncidentPage,
    authScopes: { admin: true },
    args: { ...pageArgs(t), open: t.arg.boolean({ description: 'Only those that are, or are not, open.' }) },
    resolve: (_root, args, ctx) => listIncidents(ctx, args),
  }),
  incident: t.field({
    description: 'An incident, for administrators and reviewers. The reading is recorded.',
    type: Incident,
    authScopes: { staff: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => readIncident(ctx, id),
  }),
  deletionRequests: t.field({
    description:
      "The requests to the reader's institutions to delete a result, the newest first: those without an answer, and those answered in the last week.",
    type: [DeletionRequest],
    authScopes: { institution: true },
    resolve: (_root, _args, ctx) => listDeletionRequests(ctx),
  }),
}))

builder.mutationFields((t) => ({
  moveReleasedUpload: t.field({
    description:
      'Moves an upload that was released, or is withdrawn or replaced, to the patient to whom it belongs: the former institution no longer sees it, downloads under way are cut, it waits for a review, and an incident is opened. The institutions whose users opened it are asked to delete it. One that is neither withdrawn nor replaced takes its other versions along. Null if it was never released.',
    type: Incident,
    nullable: true,
    authScopes: { feature: 'admin::review-files' },
    args: {
      id: t.arg.id({ required: true }),
      version: versionArg(t),
      patientId: t.arg.id({ required: true }),
      institutionId: t.arg.id({ description: 'Must have referred the patient.' }),
      reason: t.arg.string({ description: 'A line of text, for colleagues.', required: true }),
      discoveredOn: t.arg.string({
        description:
          'The day of the discovery, yyyy-MM-dd; now if omitted. A text, so that an error names the field.',
      }),
      despite: t.arg.string({
        description: `Why the files are of this patient although \`moveComparison\` has holds, required then with \`despiteComment\`: one of ${listCodes(ACCEPT_REASONS)}; no enum, since a name may not contain \`-\`. CONFLICT with the holds if it is missing.`,
      }),
      despiteComment: t.arg.string({ description: 'A line of text; both are kept with the incident.' }),
    },
    resolve: (_root, args, ctx) => moveReleasedUpload(ctx, args),
  }),
  addIncidentNote: t.field({
    description: 'Adds a note to an open incident.',
    type: Incident,
    authScopes: { staff: true },
    args: { id: t.arg.id({ required: true }), text: t.arg.string({ required: true }) },
    resolve: (_root, args, ctx) => addIncidentNote(ctx, args),
  }),
  saveIncidentNotices: t.field({
    description:
      'Records whether and when the authority and the persons were notified; all four values are replaced.',
    type: Incident,
    authScopes: { admin: true },
    args: {
      id: t.arg.id({ required: true }),
      version: versionArg(t),
      authority: t.arg.string({ description: NOTICE }),
      authorityAt: t.arg({ description: 'Now if omitted.', type: 'DateTime' }),
      persons: t.arg.string({ description: NOTICE }),
      personsAt: t.arg({ description: 'Now if omitted.', type: 'DateTime' }),
    },
    resolve: (_root, args, ctx) => saveIncidentNotices(ctx, args),
  }),
  closeIncident: t.field({
    description: 'Closes an incident for which the notices are recorded.',
    type: Incident,
    authScopes: { admin: true },
    args: {
      id: t.arg.id({ required: true }),
      version: versionArg(t),
      reason: t.arg.string({ required: true }),
    },
    resolve: (_root, args, ctx) => closeIncident(ctx, args),
  }),
  reopenIncident: t.field({
    description: 'Opens a closed incident again; the reason and the former end stay as a note.',
    type: Incident,
    authScopes: { admin: true },
    args: {
      id: t.arg.id({ required: true }),
      version: versionArg(t),
      reason: t.arg.string({ required: true }),
    },
    resolve: (_root, args, ctx) => reopenIncident(ctx, args),
  }),
  answerDeletionRequest: t.field({
    description: 'Confirms that the institution has deleted what it had of a result.',
    type: DeletionRequest,
    authScopes: { institution: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => answerDeletionRequest(ctx, id),
  }),
}))
