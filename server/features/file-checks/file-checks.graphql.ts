import type { FILE_CHECK_STATES } from '../../../shared/uploads/file-check-states.ts'
import { FILE_REJECTIONS } from '../../../shared/uploads/file-rejections.ts'
import { builder } from '../../graphql/builder.ts'
import { listCodes } from '../../graphql/describe.ts'
import { staffOrEmpty } from '../../graphql/hidden-fields.ts'
import { ConfidenceType, ProposedPatient, UploadDuplicate } from '../matching/matching.graphql.ts'
import { ComparisonLine } from '../reviews/reviews.graphql.ts'
import { UnreadableType } from '../uploads/upload-enums.graphql.ts'
import { File, Upload } from '../uploads/uploads.graphql.ts'
import { type FileCheck, findFileChecks } from './find-file-checks.ts'

export const FileCheckStateType = builder.enumType('FileCheckState', {
  description: 'What is known of a file before its check.',
  values: {
    WAITING: { description: 'It was not read yet.' },
    READ: { description: 'It was read.' },
    REFUSED: { description: 'The check will refuse it.' },
    UNREADABLE: {
      description:
        'Locked, damaged, or without text and codes: only a person can compare it with the patient.',
    },
  } satisfies Record<(typeof FILE_CHECK_STATES)[number], object>,
})

const FileRefusal = builder.objectRef<NonNullable<FileCheck['refusal']>>('FileRefusal').implement({
  authScopes: { staff: true },
  description: 'Why the check will refuse a file.',
  fields: (t) => ({
    code: t.string({
      description: `One of ${listCodes(Object.keys(FILE_REJECTIONS))}; no enum, since a name may not contain \`-\`.`,
      resolve: ({ reason }) => reason,
    }),
    sentence: t.string({
      description: 'The code in Romanian.',
      resolve: ({ reason }) => FILE_REJECTIONS[reason],
    }),
    facts: t.field({
      description: 'What was found, as `File.facts` of a refused file has it.',
      type: 'JSON',
      resolve: (facts) => facts,
    }),
  }),
})

const FileCheckType = builder.objectRef<FileCheck>('FileCheck').implement({
  authScopes: { staff: true },
  description: 'What a file says before its check. The check decides; nothing of this counts in a review.',
  fields: (t) => ({
    file: t.expose('file', { type: File }),
    state: t.expose('state', { type: FileCheckStateType }),
    refusal: t.expose('refusal', {
      description: 'Null unless the state is `REFUSED`.',
      type: FileRefusal,
      nullable: true,
    }),
    unreadable: t.expose('unreadable', {
      description: 'As `File.unreadable` after the check; null also for a file that only has no text.',
      type: UnreadableType,
      nullable: true,
    }),
    isPartlyRead: t.exposeBoolean('isPartlyRead', {
      description:
        'Whether some of it was not read: beyond a limit, a page without text, an entry of an archive.',
    }),
    comparison: t.expose('comparison', {
      description:
        "This file alone, compared with the upload's patient: three lines, or none before it is read or without a patient.",
      type: [ComparisonLine],
    }),
    confidence: t.field({
      description: 'Of this file alone.',
      type: ConfidenceType,
      resolve: ({ match }) => match.confidence,
    }),
    patients: t.field({
      description:
        'Of this file alone: one if it is `sure`; the possible ones, or those that a `conflict` names.',
      type: [ProposedPatient],
      resolve: ({ match }) => [...match.patients],
    }),
    people: t.exposeInt('people', { description: 'How many different people its facts name, at least.' }),
    duplicates: t.expose('duplicates', {
      description:
        'Uploads that were submitted, and not withdrawn, with the same file: three at most. Rejected ones too.',
      type: [UploadDuplicate],
    }),
  }),
})

builder.objectField(Upload, 'fileChecks', (t) =>
  t.field({
    ...staffOrEmpty,
    description: 'What its files that were not checked yet say, for its author and for reviewers.',
    type: [FileCheckType],
    // It searches for the patients of all files.
    extensions: { cost: 50 },
    resolve: (upload, _args, ctx) => findFileChecks(ctx, upload),
  }),
)
