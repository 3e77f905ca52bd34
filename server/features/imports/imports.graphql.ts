import {
  IMPORT_ENCODINGS,
  IMPORT_FIELDS,
  IMPORT_OUTCOMES,
  IMPORT_PROBLEMS,
  IMPORT_STATES,
  type ImportCounts,
  ROW_PROBLEM_CODES,
  type RowProblem,
} from '../../../shared/imports/patient-imports.ts'
import { builder } from '../../graphql/builder.ts'
import { pageArgs, pageType } from '../../graphql/connections.ts'
import { listCodes, VERSION, versionArg } from '../../graphql/describe.ts'
import { Patient } from '../patients/patients.graphql.ts'
import {
  allowImportLines,
  checkImport,
  removeImport,
  rereadImport,
  startImport,
  stopImport,
} from './change-import.ts'
import { getImport, type ImportLine, listImportLines, listImports, previewRows } from './find-import.ts'
import type { ImportRow } from './imports.db.ts'

const StateType = builder.enumType('ImportState', {
  description:
    'Where an import is: a job works in `reading`, `checking` and `importing`; the others wait for a person, or are its end.',
  values: IMPORT_STATES,
})
const FieldType = builder.enumType('ImportField', {
  description: 'What a column has, as in `PatientInput`.',
  values: IMPORT_FIELDS,
})
const OutcomeType = builder.enumType('ImportOutcome', {
  description: 'What the check says that the import will do with a row, and what it did.',
  values: {
    created: { description: 'A new patient.' },
    updated: { description: 'A patient gets values.' },
    same: { description: 'Nothing changes.' },
    duplicate: { description: 'Perhaps a patient already: created only if a person allows it.' },
    refused: { description: 'Nothing happens; `problems` says why.' },
  },
})

const ImportCount = builder
  .objectRef<{ outcome: (typeof IMPORT_OUTCOMES)[number]; rows: number }>('ImportCount')
  .implement({
    authScopes: { staff: true },
    description: 'How many rows have an outcome.',
    fields: (t) => ({
      outcome: t.expose('outcome', { type: OutcomeType }),
      rows: t.exposeInt('rows'),
    }),
  })
const countsOf = (counts: ImportCounts) =>
  IMPORT_OUTCOMES.map((outcome) => ({ outcome, rows: counts[outcome] ?? 0 }))
const sumOf = (counts: ImportCounts) => countsOf(counts).reduce((sum, { rows }) => sum + rows, 0)

const PatientImport = builder.objectRef<ImportRow>('PatientImport').implement({
  authScopes: { staff: true },
  description: 'A file of patients, and what has become of it. Only its author reads it.',
  fields: (t) => ({
    id: t.exposeID('id'),
    fileName: t.exposeString('file_name'),
    state: t.expose('state', { type: StateType }),
    problem: t.exposeString('problem', {
      description: `Why it is unreadable, one of ${listCodes(Object.keys(IMPORT_PROBLEMS))}; else null.`,
      nullable: true,
    }),
    encoding: t.exposeString('encoding', {
      description: `Of a text, one of ${listCodes(IMPORT_ENCODINGS)}; null for a spreadsheet.`,
      nullable: true,
    }),
    headings: t.exposeStringList('headings', {
      description: 'Of the columns; empty if the first row is a person.',
    }),
    columns: t.field({
      description: 'The field of each column, null for one that is left out.',
      type: [FieldType],
      nullable: { list: false, items: true },
      resolve: ({ columns }) => columns,
    }),
    preview: t.field({
      description: 'The cells of the first rows.',
      type: ['JSON'],
      resolve: (found, _args, ctx) => previewRows(ctx, found),
    }),
    institutionId: t.exposeID('institution_id', {
      description: 'Into which every patient of the file is referred.',
      nullable: true,
    }),
    institutionName: t.exposeString('institution_name', { nullable: true }),
    overwrites: t.exposeBoolean('overwrites', {
      description:
        'Whether values of patients are replaced by other ones of the file; empty ones always are.',
    }),
    rowCount: t.exposeInt('row_count'),
    checkedRows: t.int({ resolve: ({ checked }) => sumOf(checked) }),
    importedRows: t.int({ resolve: ({ imported }) => sumOf(imported) }),
    checked: t.field({ type: [ImportCount], resolve: ({ checked }) => countsOf(checked) }),
    imported: t.field({ type: [ImportCount], resolve: ({ imported }) => countsOf(imported) }),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    endedAt: t.expose('ended_at', { type: 'DateTime', nullable: true }),
    version: t.exposeInt('version', VERSION),
  }),
})
const ImportPage = pageType<ImportRow>('PatientImportPage', PatientImport)

const RowProblemType = builder.objectRef<RowProblem>('ImportRowProblem').implement({
  authScopes: { staff: true },
  description: 'Why a row is refused or held.',
  fields: (t) => ({
    code: t.exposeString('code', { description: `One of ${listCodes(ROW_PROBLEM_CODES)}.` }),
    field: t.expose('field', { type: FieldType, nullable: true }),
    message: t.exposeString('message', { description: 'A Romanian sentence.' }),
  }),
})

type Change = { field: string; from: string | null; to: string | null }
const RowChange = builder.objectRef<Change>('ImportRowChange').implement({
  authScopes: { staff: true },
  description: 'A value that a patient gets.',
  fields: (t) => ({
    field: t.exposeString('field', {
      description: `One of ${listCodes(IMPORT_FIELDS)}, or \`referral\`: the patient is referred to the institution.`,
    }),
    from: t.exposeString('from', { nullable: true }),
    to: t.exposeString('to', { nullable: true }),
  }),
})

const nameOfColumn = (column: string): string =>
  column.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase())
const textOf = (value: unknown): string | null => (value === null ? null : String(value))

const PatientImportLine = builder.objectRef<ImportLine>('PatientImportLine').implement({
  authScopes: { staff: true },
  description: 'A row of the file.',
  fields: (t) => ({
    line: t.exposeInt('line', { description: 'Its number in the file, as a spreadsheet shows it.' }),
    name: t.string({
      description: 'The surname and the given names, as the file has them.',
      resolve: ({ cells, columns }) =>
        (['surname', 'givenNames'] as const)
          .map((field) => cells[columns.indexOf(field)] ?? '')
          .join(' ')
          .trim(),
    }),
    outcome: t.field({
      description:
        'Of the import as soon as it has begun, before it comes to the row null; else of the check.',
      type: OutcomeType,
      nullable: true,
      resolve: ({ outcome, result, isImported }) => (isImported ? result : outcome),
    }),
    problems: t.field({
      type: [RowProblemType],
      resolve: ({ problems, result_problems, isImported }) => (isImported ? result_problems : problems) ?? [],
    }),
    changes: t.field({
      type: [RowChange],
      resolve: ({ changes }) =>
        Object.entries(changes ?? {}).map(([column, { from, to }]) => ({
          field: nameOfColumn(column),
          from: textOf(from),
          to: textOf(to),
        })),
    }),
    patient: t.expose('patient', {
      description: 'Whom the row has created or changed, or may be about; null if there is nobody.',
      type: Patient,
      nullable: true,
    }),
    sameLine: t.exposeInt('same_line', {
      description: 'The earlier row of the file that it repeats.',
      nullable: true,
    }),
    isAllowed: t.exposeBoolean('allowed', {
      description: 'A person has said that the possible duplicate is somebody else.',
    }),
  }),
})
const LinePage = pageType<ImportLine>('PatientImportLinePage', PatientImportLine)

const staff = { authScopes: { staff: true } } as const

builder.queryFields((t) => ({
  patientImports: t.field({
    description: 'The own imports of the last 30 days, the newest first.',
    type: ImportPage,
    ...staff,
    args: pageArgs(t),
    resolve: (_root, args, ctx) => listImports(ctx, args),
  }),
  patientImport: t.field({
    description: 'An own import.',
    type: PatientImport,
    ...staff,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => getImport(ctx, id),
  }),
  patientImportLines: t.field({
    description: 'Rows of an own import, by their lines; the reading of patients among them is recorded.',
    type: LinePage,
    ...staff,
    args: {
      ...pageArgs(t),
      importId: t.arg.id({ required: true }),
      outcome: t.arg({ type: OutcomeType, description: 'All rows if omitted.' }),
    },
    resolve: (_root, args, ctx) => listImportLines(ctx, args),
  }),
}))

builder.mutationFields((t) => {
  const named = { id: t.arg.id({ required: true }), version: versionArg(t) }
  return {
    rereadPatientImport: t.field({
      description: 'Reads a text again in another encoding.',
      type: PatientImport,
      ...staff,
      args: {
        ...named,
        encoding: t.arg.string({ required: true, description: `One of ${listCodes(IMPORT_ENCODINGS)}.` }),
      },
      resolve: (_root, { encoding, ...args }, ctx) =>
        rereadImport(ctx, { ...args, encoding: encoding as (typeof IMPORT_ENCODINGS)[number] }),
    }),
    checkPatientImport: t.field({
      description: 'Says of each row what its import would do, and changes no patient.',
      type: PatientImport,
      ...staff,
      args: {
        ...named,
        columns: t.arg({
          type: [FieldType],
          required: { list: true, items: false },
          description:
            'The field of each column, null for one that is left out. Surname and given names are required.',
        }),
        institutionId: t.arg.id({ description: 'Into which every patient of the file is referred.' }),
        overwrites: t.arg.boolean({
          required: true,
          description: 'Whether values of patients are replaced by other ones of the file.',
        }),
      },
      resolve: (_root, { columns, ...args }, ctx) =>
        checkImport(ctx, { ...args, columns: columns.map((field) => field ?? null) }),
    }),
    allowPatientImportLines: t.field({
      description:
        'Says of possible duplicates that they are other people, who are to be created; or no longer.',
      type: PatientImport,
      ...staff,
      args: {
        id: t.arg.id({ required: true }),
        lines: t.arg.intList({ required: true, description: 'At most 100.' }),
        allowed: t.arg.boolean({ required: true }),
      },
      resolve: (_root, args, ctx) => allowImportLines(ctx, args),
    }),
    startPatientImport: t.field({
      description: 'Imports the rows as they were checked; one that was stopped goes on.',
      type: PatientImport,
      ...staff,
      args: named,
      resolve: (_root, args, ctx) => startImport(ctx, args),
    }),
    stopPatientImport: t.field({
      description: 'Stops the check or the import; patients that are imported stay.',
      type: PatientImport,
      ...staff,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, args, ctx) => stopImport(ctx, args),
    }),
    removePatientImport: t.field({
      description: 'Deletes an own import with its file and rows, and returns its id; patients stay.',
      type: 'ID',
      ...staff,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, args, ctx) => removeImport(ctx, args),
    }),
  }
})
