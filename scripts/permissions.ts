import { globSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { FEATURES, featuresInForce } from '../shared/access/features.ts'
import type { Role } from '../shared/access/roles.ts'
import { UPLOAD_STATES } from '../shared/uploads/upload-states.ts'

/** The columns of the tables: a role with the features in force on a site that has all features. */
const PEOPLE: readonly { name: string; role: Role; granted: readonly string[] }[] = [
  { name: 'staff', role: 'staff', granted: [] },
  { name: 'registrar', role: 'staff', granted: ['patient::files'] },
  { name: 'reviewer', role: 'staff', granted: ['patient::files', 'admin::review-files'] },
  { name: 'admin', role: 'admin', granted: [] },
  { name: 'institution', role: 'institution', granted: [] },
]

type Rule = (actor: unknown, upload?: unknown) => boolean

const actorOf = ({ role, granted }: (typeof PEOPLE)[number]) => ({
  kind: 'user',
  id: 'own',
  role,
  features: featuresInForce(role, granted, FEATURES),
  institutionIds: [],
})

/** Returns the upload states in which a rule allows the action, for the actor's own uploads and for those of others. */
function allowedStates(rule: Rule, actor: unknown): string {
  const states = (author: string) =>
    UPLOAD_STATES.filter((state) => rule(actor, { state, created_by: author, patient_id: 'a patient' }))
  const [own, others] = [states('own'), states('another')]
  const rest = own.filter((state) => !others.includes(state))
  return [
    ...(others.length > 0 ? [others.join(', ')] : []),
    ...(rest.length > 0 ? [`own: ${rest.join(', ')}`] : []),
  ].join('; ')
}

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
    const rule = rules[name]!
    if (!/^(can|is)[A-Z]/.test(name) || !parameters.startsWith('actor: UserActor')) {
      notes.push(`- \`${name}\`: ${sentence(comment)}`)
      continue
    }
    const cells = PEOPLE.map((person) =>
      parameters.includes('upload')
        ? allowedStates(rule, actorOf(person))
        : rule(actorOf(person))
          ? 'yes'
          : '',
    )
    rows.push(`| \`${name}\` | ${cells.join(' | ')} | ${sentence(comment)} |`)
  }
  const head = `| rule | ${PEOPLE.map(({ name }) => name).join(' | ')} | |\n|---|${PEOPLE.map(() => '---|').join('')}---|`
  return [
    `## ${path}`,
    ...(rows.length > 0 ? [[head, ...rows].join('\n')] : []),
    ...(notes.length > 0 ? [notes.join('\n')] : []),
  ].join('\n\n')
}

/** Returns docs/permissions.md: every rule of the `*.access.ts` files, evaluated for each kind of person. */
export async function describePermissions(): Promise<string> {
  const files = globSync('server/**/*.access.ts').sort()
  const parts = await Promise.all(files.map(describeFile))
  return `# Who may do what

Printed from the \`*.access.ts\` files by \`npm run generate:permissions\`; a test compares it. *Staff* has no feature, a *registrar*
has \`patient::files\`, a *reviewer* also has \`admin::review-files\`; the site has every feature. Cells of rules about an
upload name the states in which the rule allows it, for an upload with a patient. Which rows a person sees at all is the
scope that each query carries.

${parts.join('\n\n')}
`
}
