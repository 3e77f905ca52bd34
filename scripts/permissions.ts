import { globSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { FEATURES, type Feature, featuresInForce } from '../shared/access/features.ts'
import type { Role } from '../shared/access/roles.ts'
import { UPLOAD_STATES } from '../shared/uploads/upload-state-list.ts'
import { COLUMNS, type Column, ROWS, type Row } from '../test/permissions/rows.ts'
import { TYPES } from '../test/permissions/types.ts'

/** The columns of the tables: a role with the features in force on a site that has all features. */
const PEOPLE: readonly { name: string; role: Role; granted: readonly string[] }[] = [
  { name: 'staff', role: 'staff', granted: [] },
  { name: 'registrar', role: 'staff', granted: ['patient::files'] },
  { name: 'reviewer', role: 'staff', granted: ['patient::files', 'admin::review-files'] },
  { name: 'reviewer without files', role: 'staff', granted: ['admin::review-files'] },
  { name: 'admin', role: 'admin', granted: [] },
  { name: 'institution', role: 'institution', granted: [] },
]

/** The institution of the user, which may send files, and that of the uploads. */
const SENDER = 'an institution'

type Rule = (actor: unknown, upload?: unknown) => boolean | { kind: string }

const actorOf = ({ role, granted }: (typeof PEOPLE)[number]) => ({
  kind: 'user',
  id: 'own',
  role,
  features: featuresInForce(role, granted, FEATURES),
  mayAcceptOwn: false,
  institutionIds: [],
  sendingInstitutionIds: role === 'institution' ? [SENDER] : [],
})

/** Returns the upload states in which a rule allows the action, for the actor's own uploads and for those of others. */
function allowedStates(rule: Rule, actor: unknown): string {
  const states = (author: string) =>
    UPLOAD_STATES.filter((state) =>
      rule(actor, {
        state,
        created_by: author,
        patient_id: 'a patient',
        sender_institution_id: SENDER,
        institution_id: SENDER,
      }),
    )
  const [own, others] = [states('own'), states('another')]
  const name = (found: readonly string[]) =>
    found.length === UPLOAD_STATES.length ? 'every state' : found.join(', ')
  const ownOnly = own.filter((state) => !others.includes(state))
  const othersOnly = others.filter((state) => !own.includes(state))
  if (ownOnly.length === 0 && othersOnly.length === 0) return name(own)
  const both = own.filter((state) => others.includes(state))
  return [
    ...(both.length > 0 ? [name(both)] : []),
    ...(ownOnly.length > 0 ? [`own: ${name(ownOnly)}`] : []),
    ...(othersOnly.length > 0 ? [`not own: ${name(othersOnly)}`] : []),
  ].join('; ')
}

/** Returns the cells of a rule, which decides about the actor, also for an upload, or returns the actor's scope. */
export const evaluateRule = (rule: Rule): string[] =>
  PEOPLE.map((person) => {
    const actor = actorOf(person)
    if (rule.length > 1) return allowedStates(rule, actor)
    const result = rule(actor)
    return typeof result === 'object' ? result.kind : result ? 'yes' : ''
  })

const EXPORT = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?export (?:const|function) (\w+)[\s\S]*?\(([^)]*)\)/g

/** Returns the docstring of an export on one line, without its asterisks. */
const sentence = (comment: string | undefined): string =>
  (comment ?? '')
    .replace(/^\s*\*/gm, '')
    .replace(/\s+/g, ' ')
    .trim()

async function describeFile(path: string): Promise<string> {
  const rules = (await import(pathToFileURL(path).href)) as Record<string, Rule>
  const rows: string[] = []
  const notes: string[] = []
  for (const [, comment, name = '', parameters = ''] of readFileSync(path, 'utf8').matchAll(EXPORT)) {
    if (/^actor: (User)?Actor/.test(parameters))
      rows.push(`| \`${name}\` | ${evaluateRule(rules[name]!).join(' | ')} | ${sentence(comment)} |`)
    else notes.push(`- \`${name}\`: ${sentence(comment)}`)
  }
  const head = `| rule | ${PEOPLE.map(({ name }) => name).join(' | ')} | |\n|---|${PEOPLE.map(() => '---|').join('')}---|`
  return [
    `### ${path}`,
    ...(rows.length > 0 ? [[head, ...rows].join('\n')] : []),
    ...(notes.length > 0 ? [notes.join('\n')] : []),
  ].join('\n\n')
}

/** Returns a table of rows with one cell for each column of the matrix. */
const tableOf = (rows: readonly (readonly [name: string, cells: (column: Column) => string])[]): string =>
  [
    `| | ${COLUMNS.join(' | ')} |`,
    `|---|${COLUMNS.map(() => '---|').join('')}`,
    ...rows.map(([name, cell]) => `| ${name} | ${COLUMNS.map(cell).join(' | ')} |`),
  ].join('\n')

/** Escapes what a table would read as its own. */
const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``

function describeRows(title: string, belongs: (name: string) => boolean): string {
  const rows = Object.entries(ROWS).filter(([name]) => belongs(name))
  const cells = rows.map(([name, row]) => {
    const [operation, ...which] = /^[A-Z]+ /.test(name) ? [name] : name.split(' ')
    return [[code(operation!), ...which].join(' '), (column: Column) => row.cells[column]] as const
  })
  return `### ${title}\n\n${tableOf(cells)}`
}

/** Returns the cells that differ while a feature is off. */
function describeFeature(feature: Feature): string {
  const rows = Object.entries(ROWS).flatMap(([name, { without }]) => {
    const changed: Row['cells'] | Partial<Row['cells']> | undefined = without?.[feature]
    return changed ? [[code(name), (column: Column) => changed[column] ?? ''] as const] : []
  })
  return `### Without \`${feature}\` on the site\n\n${rows.length > 0 ? tableOf(rows) : 'Nothing differs.'}`
}

function describeTypes(): string {
  const rows = Object.entries(TYPES).map(([name, row]) => {
    if ('scope' in row)
      return `| \`${name}\` | ${row.scope.includes(':') ? `\`${row.scope}\`` : row.scope} | |`
    if ('reader' in row) return `| \`${name}\` | ${row.reader} | |`
    return `| \`${name}\` | field by field | ${row.hidden.map((field) => `\`${field}\``).join(', ')} |`
  })
  return ['| type | readers | hidden from institutions |', '|---|---|---|', ...rows].join('\n')
}

const isRoute = (name: string) => /^[A-Z]+ \//.test(name)

/**
 * Returns docs/permissions.md: the permission matrix, and every rule of the `*.access.ts` files, evaluated for
 * each kind of person.
 */
export async function describePermissions(): Promise<string> {
  const files = globSync('server/**/*.access.ts').sort()
  const parts = await Promise.all(files.map(describeFile))
  return `# Who may do what

Printed by \`npm run generate:permissions\`; a test compares it. *Staff* has no feature, a *registrar* has \`patient::files\`, a
*reviewer* also has \`admin::review-files\`; the site has every feature.

## The matrix

What each operation answers to whom, from \`test/permissions/rows.ts\`. The tests there send every operation as every principal
and compare the cells; an operation without a row fails them. *anonymous* has no valid session: no credentials, a bad token, an expired or
ended session, a suspended user, a user of a suspended institution. *key* is a program with an API key, also the one of every page.
*none*, *A*, *B* and *A+B* are users of no institution, of one and of two; a user moved from A to B is a user of B, a reviewer
without the feature is a registrar.

- \`ok\` or 2xx: allowed. Another code is the error; \`401\` is also \`UNAUTHENTICATED\`.
- Names are what the operation lists, or the ids that it acts on. For every other id the answer equals that for an unknown id, and
  \`empty\` means that this is so for all. After \`FORBIDDEN:\` come those that the reader sees but may not change so.
- Patients: \`pA\` and \`pB\` were referred by A and by B, \`pAB\` by both, \`p0\` by none.
- Uploads: \`rel.A\` and \`rel.B\` are released to A and B for the patient of each, \`ab.A\` and \`ab.B\` for the patient of both, \`noref.A\`
  to A for a patient that A has not referred. \`wait\` is in review, \`acc\` accepted by another reviewer, \`decided\` rejected by the reader, \`draft\`
  another person's, without a patient; \`own.draft\` and \`own.wait\` the reader filed. One more upload, in the bin, is for no reader.
- \`own\`, \`others\`: the reader's accounts, sessions or transfers, and those of others.

${[
  describeRows('Queries', (name) => name.startsWith('Query.')),
  describeRows('Mutations', (name) => name.startsWith('Mutation.')),
  describeRows('Subscriptions', (name) => name.startsWith('Subscription.')),
  describeRows('Routes and tus', isRoute),
  ...FEATURES.map(describeFeature),
].join('\n\n')}

## The fields of objects

A type names its readers as its own scope, and refuses all others. *Field by field*: hidden fields are null or empty for users of
institutions.

${describeTypes()}

## The rules

From the \`*.access.ts\` files. Cells of rules about an upload name the states in which the rule allows it, for an upload with a
patient. A scope is what each query carries: which rows the person sees at all.

${parts.join('\n\n')}
`
}
