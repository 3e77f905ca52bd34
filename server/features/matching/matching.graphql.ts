import { maskCnp } from '../../../shared/romania/cnp.ts'
import { CONFIDENCES, describeReasons } from '../../../shared/uploads/match-reasons.ts'
import { builder } from '../../graphql/builder.ts'
import { staffOrEmpty, staffOrNull } from '../../graphql/hidden-fields.ts'
import { Upload } from '../uploads/uploads.graphql.ts'
import { type Duplicate, findDuplicates } from './find-duplicates.ts'
import type { FoundPatient } from './match-document.ts'
import type { ProposedCategory } from './propose-category.ts'
import { type Proposal, proposeUpload } from './propose-upload.ts'
import { tryCategoryWords } from './try-category-words.ts'

export const ConfidenceType = builder.enumType('MatchConfidence', {
  description: 'How certain it is whose the files are; `conflict`: they state facts of different people.',
  values: CONFIDENCES,
})

export const ProposedPatient = builder.objectRef<FoundPatient>('ProposedPatient').implement({
  authScopes: { staff: true },
  description: 'A patient whose facts the files have.',
  fields: (t) => ({
    id: t.id({ resolve: ({ person }) => person.id }),
    number: t.int({ resolve: ({ person }) => person.number }),
    name: t.string({
      description: 'The surname, then the given names.',
      resolve: ({ person }) => `${person.surname} ${person.given_names}`,
    }),
    cnpMasked: t.string({
      description: 'The personal number with most digits hidden; null if it is unknown.',
      nullable: true,
      resolve: ({ person }) => (person.cnp === null ? null : maskCnp(person.cnp)),
    }),
    birthDate: t.field({ type: 'Date', nullable: true, resolve: ({ person }) => person.birth_date }),
    reasons: t.stringList({
      description: 'Which facts agree: `cnp`, `accession`, `name`, `birth-date`.',
      resolve: ({ reasons }) => reasons.map(({ what }) => what),
    }),
    reasonText: t.string({
      description: 'The reasons with their places, in Romanian.',
      resolve: ({ reasons }) => describeReasons(reasons),
    }),
  }),
})

export const ProposedInstitution = builder
  .objectRef<NonNullable<Proposal['institution']>>('ProposedInstitution')
  .implement({
    authScopes: { staff: true },
    description: 'The institution that the files name, or the only one that referred the patient.',
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.string({ resolve: ({ name, short_name }) => short_name ?? name }),
    }),
  })

export const ProposedCategoryType = builder.objectRef<ProposedCategory>('ProposedCategory').implement({
  authScopes: { staff: true },
  description: 'The category that the words in the files give.',
  fields: (t) => ({ slug: t.exposeString('slug'), name: t.exposeString('name') }),
})

const UploadProposal = builder.objectRef<Proposal>('UploadProposal').implement({
  authScopes: { staff: true },
  description: 'What the files that were already inspected propose for an upload. Nothing of it is stored.',
  fields: (t) => ({
    confidence: t.expose('confidence', { type: ConfidenceType }),
    patients: t.expose('patients', {
      description: 'One if it is `sure`; the possible ones, or those that a `conflict` names.',
      type: [ProposedPatient],
    }),
    institution: t.expose('institution', { type: ProposedInstitution, nullable: true }),
    category: t.expose('category', { type: ProposedCategoryType, nullable: true }),
    title: t.exposeString('title', { nullable: true }),
    examinedOn: t.expose('examinedOn', { type: 'Date', nullable: true }),
    accessionNumber: t.exposeString('accessionNumber', { nullable: true }),
    doctor: t.exposeString('doctor', { nullable: true }),
  }),
})

const DuplicateKind = builder.enumType('DuplicateKind', {
  description: 'What is equal in two uploads.',
  values: {
    bytes: { description: 'A whole file.' },
    instance: { description: 'A DICOM image, by its SOP Instance UID.' },
  },
})

export const UploadDuplicate = builder.objectRef<Duplicate>('UploadDuplicate').implement({
  authScopes: { staff: true },
  description: 'A file that another upload has too.',
  fields: (t) => ({
    fileId: t.exposeID('fileId', { description: 'The file of this upload.' }),
    kind: t.expose('kind', { type: DuplicateKind }),
    upload: t.expose('upload', {
      description: 'The other upload, of this or another patient, also a rejected one.',
      type: Upload,
    }),
  }),
})

/** Of several statements, and the comparison with hundreds of people. */
const COST = { cost: 20 }

builder.objectFields(Upload, (t) => ({
  proposal: t.field({
    ...staffOrNull,
    description: 'What its files propose for it.',
    extensions: COST,
    type: UploadProposal,
    nullable: true,
    resolve: (upload, _args, ctx) => proposeUpload(ctx, upload),
  }),
  duplicates: t.field({
    ...staffOrEmpty,
    description: 'Other uploads that have a file of this one: one file for each, ten at most.',
    extensions: COST,
    type: [UploadDuplicate],
    resolve: (upload, _args, ctx) => findDuplicates(ctx, upload),
  }),
}))

builder.queryFields((t) => ({
  proposedCategory: t.field({
    description:
      'The category that the words of a text give, to try the words of the settings; null if none.',
    type: ProposedCategoryType,
    nullable: true,
    authScopes: { staff: true },
    args: { text: t.arg.string({ required: true }) },
    resolve: (_root, { text }, ctx) => tryCategoryWords(ctx, text),
  }),
}))
