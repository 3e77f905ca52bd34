import type { Feature } from '../../../shared/access/features.ts'
import type { Screen } from '../../../shared/access/site-map.ts'
import type { Operations } from '../graphql/operations.ts'

/** A question that a page asks before its scripts have loaded: one of the product's documents with its hash, and the variables. */
export interface FirstQuestion {
  hash: string
  operationName: string
  query: string
  variables: Record<string, unknown>
  /** Variables after these that say whether the user has a feature. */
  features: Readonly<Record<string, Feature>>
  /** Who asks it: all users, or only staff, administrators or institutions, and only those with one of these features if there are any. */
  audience: 'all' | 'staff' | 'admin' | 'institution'
  anyFeature: readonly Feature[]
}

interface Question {
  name: string
  audience?: FirstQuestion['audience']
  anyFeature?: readonly Feature[]
  variables?: Record<string, unknown>
  features?: FirstQuestion['features']
}

/** What every screen behind the sign-in asks. */
const CATEGORIES: Question = { name: 'getCategories', audience: 'all' }

/**
 * What a screen asks first, where its address without a query says all of it, with the features that the guard of the screen
 * requires; `id` is the last part of the address. The variables are in the order in which the screen sends them.
 */
const QUESTIONS: Readonly<Partial<Record<Screen, (id: string) => readonly Question[]>>> = {
  '/dashboard': () => [
    {
      name: 'Dashboard',
      anyFeature: ['admin::review-files'],
      features: { withQuestions: 'patient::files' },
    },
    {
      name: 'Turnaround',
      anyFeature: ['admin::review-files'],
      variables: { days: 30, category: null, institutionId: null },
    },
    {
      name: 'WorkOfPeople',
      audience: 'admin',
      anyFeature: ['admin::review-files'],
      variables: { days: 30 },
    },
  ],
  '/uploads': () => [
    {
      name: 'ReviewQueue',
      anyFeature: ['admin::review-files'],
      variables: {
        states: ['in_review'],
        category: null,
        institutionId: null,
        mine: false,
        since: null,
        until: null,
        unopened: false,
        sender: null,
        late: null,
        search: '',
      },
    },
  ],
  '/uploads/$uploadId': (id) => [
    { name: 'UploadPage', anyFeature: ['admin::review-files', 'patient::files'], variables: { id } },
  ],
  '/patients': () => [{ name: 'Patients', variables: { search: '' } }],
  '/patients/$patientId': (id) => [
    {
      name: 'PatientPage',
      variables: { id },
      features: { withFiles: 'patient::files', withNews: 'patient::news' },
    },
  ],
  '/institution': () => [
    {
      name: 'InstitutionHome',
      audience: 'institution',
      variables: { withRequests: true },
      features: { withFiles: 'patient::files', withRecalls: 'patient::files' },
    },
    {
      name: 'Inbox',
      audience: 'institution',
      anyFeature: ['patient::files'],
      variables: {
        view: 'all',
        since: null,
        until: null,
        category: null,
        doctor: null,
        institutionId: null,
        departmentId: null,
        ownDepartments: true,
        search: '',
      },
    },
  ],
}

/**
 * Returns the function that has the first questions of a screen at an address; none in development, where the documents have
 * no hashes.
 */
export function findFirstQuestions(
  operations: Operations,
): (screen: Screen, pathname: string) => readonly FirstQuestion[] {
  if (operations.size === 0) return () => []
  const documents = new Map(
    [...operations].map(([hash, query]) => [/^query (\w+)/m.exec(query)?.[1], { hash, query }] as const),
  )
  const describe = ({ name, ...question }: Question): FirstQuestion => {
    const document = documents.get(name)
    if (!document) throw new Error(`server/http/pages/first-questions.ts: the build has no query ${name}`)
    return {
      audience: 'staff',
      anyFeature: [],
      variables: {},
      features: {},
      ...question,
      ...document,
      operationName: name,
    }
  }
  // A document that the build lacks stops the start.
  for (const ask of [() => [CATEGORIES], ...Object.values(QUESTIONS)]) ask('').forEach(describe)
  return (screen, pathname) => {
    const id = pathname.slice(pathname.lastIndexOf('/') + 1)
    // An encoded part is no id.
    const ofScreen = id.includes('%') ? [] : (QUESTIONS[screen]?.(id) ?? [])
    return [CATEGORIES, ...ofScreen].map(describe)
  }
}
