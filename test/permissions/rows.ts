import type { Feature } from '../../shared/access/features.ts'

/**
 * Who sends a request: `anonymous` has no valid session, `key` is a program with an API key, `recipient` the page of a
 * person with a link, who has proved a share of `rel.A` in this browser: a key and a cookie; then users of no
 * institution, of A, of B and of both, and the four kinds of staff of docs/permissions.md.
 */
export const COLUMNS = [
  'anonymous',
  'key',
  'recipient',
  'none',
  'A',
  'B',
  'A+B',
  'staff',
  'registrar',
  'reviewer',
  'admin',
] as const
export type Column = (typeof COLUMNS)[number]
export type Cells = Readonly<Record<Column, string>>

/** The kinds of things that operations name by an id. */
export type Kind =
  | 'patient'
  | 'institution'
  | 'upload'
  | 'file'
  | 'removedFile'
  | 'user'
  | 'session'
  | 'transfer'

/** What a response changed, which the test restores after it. */
export type Undo = 'upload-state' | 'removed-file' | 'restored-file' | 'session' | 'own-sessions' | 'transfer'

export type Row = {
  /** The fields of the document after `query {` or `mutation {`; `$id` is the id of a thing. */
  fields?: string
  /** A request of a route: its path, in which `:id` is the id of a thing, with its method. */
  http?: { method: string; path: string; headers?: Record<string, string>; body?: string }
  /** Ids of this kind are sent one by one: the cell names those whose answer differs from that to an unknown id. */
  of?: Kind
  /** The response is a list: the cell names the things in it, by their ids. */
  lists?: true
  /** An error that the permission comes before: the request was harmless, and allowed. */
  passes?: string
  undo?: Undo
  cells: Cells
  /** The cells that differ while the site has a feature switched off. */
  without?: Partial<Record<Feature, Partial<Cells>>>
  /** The field reads or changes the caller's own account, or public data: its verb asks no rule. */
  ownOrPublic?: true
}

type Groups = 'everyone' | 'signedIn' | 'institutions' | 'organisation'
const GROUPS: Record<Groups, readonly Column[]> = {
  everyone: COLUMNS,
  signedIn: COLUMNS.slice(3),
  institutions: ['none', 'A', 'B', 'A+B'],
  organisation: ['staff', 'registrar', 'reviewer', 'admin'],
}

/** Fills the cells: a column's own value comes before that of a group. */
function cells(given: Partial<Record<Column | Groups, string>>): Cells {
  const defaults: Partial<Cells> = { anonymous: '401', key: 'FORBIDDEN' }
  const of = (column: Column): string => {
    const groups = (Object.keys(GROUPS) as Groups[])
      .filter((group) => GROUPS[group].includes(column))
      .reverse()
    // But for what is shared, a recipient is a program with the key.
    if (column === 'recipient' && given.recipient === undefined) return of('key')
    const found = [given[column], ...groups.map((group) => given[group]), defaults[column]]
    return found.find((cell) => cell !== undefined) ?? 'FORBIDDEN'
  }
  return Object.fromEntries(COLUMNS.map((column) => [column, of(column)])) as Cells
}

const OK = 'ok'
const adminOnly = cells({ admin: OK })
const staffOnly = cells({ organisation: OK })
const signedIn = cells({ signedIn: OK })
/** A field of the caller's own account, or of public data that every user reads. */
const ownAccount = { cells: signedIn, ownOrPublic: true } as const

/** The uploads that each column reads [6.2] [6.4]. */
const READ = {
  A: 'rel.A ab.A',
  B: 'rel.B ab.B',
  'A+B': 'rel.A rel.B ab.A ab.B',
  registrar: 'rel.A rel.B ab.A ab.B noref.A wait acc decided own.draft own.wait',
  reviewer: 'rel.A rel.B ab.A ab.B noref.A wait acc decided draft own.draft own.wait',
}
const IN_REVIEW = 'wait decided own.draft own.wait'
/** Names what is allowed, and after it what the reader may read but not change. */
function allowing(allowed: string, read: string, code = 'FORBIDDEN'): string {
  const rest = read.split(' ').filter((name) => !allowed.split(' ').includes(name))
  return rest.length > 0 ? `${allowed}; ${code}: ${rest.join(' ')}` : allowed
}
/** Files exist for all of them but drafts. */
const withoutDrafts = (names: string) => names.replace(/ ?\b(own\.)?draft\b/g, '').trim()

const readUploads = (denied: string, names = (text: string) => text) => ({
  cells: cells({
    key: denied === '404' ? '401' : 'FORBIDDEN',
    none: denied,
    A: names(READ.A),
    B: names(READ.B),
    'A+B': names(READ['A+B']),
    staff: denied,
    registrar: names(READ.registrar),
    reviewer: names(READ.reviewer),
    admin: names(READ.reviewer),
  }),
  without: {
    'patient::files': {
      A: denied,
      B: denied,
      'A+B': denied,
      registrar: denied,
      reviewer: names(IN_REVIEW),
      admin: names(IN_REVIEW),
    },
    'admin::review-files': { reviewer: names(READ.registrar), admin: names(READ.registrar) },
  },
})
const readFiles = readUploads('404', withoutDrafts)
/** For an institution the thumbnails of its files do not exist either. */
const readThumbnails = {
  cells: { ...readFiles.cells, A: '404', B: '404', 'A+B': '404' },
  without: readFiles.without,
}
/** A draft has no archive yet: it exists for its reader, and is not ready. */
const readArchives = readUploads('404', (names) => allowing(withoutDrafts(names), names, '409'))

/** Results together, for users of their institutions. */
const readResults = {
  cells: cells({
    key: '401',
    none: '404',
    A: READ.A,
    B: READ.B,
    'A+B': READ['A+B'],
    organisation: '403',
  }),
  without: { 'patient::files': { none: '403', A: '403', B: '403', 'A+B': '403' } },
} as const

/** Operations on the departments of an institution. */
const departments = {
  cells: cells({ institutions: OK, admin: OK }),
  without: {
    'profile::institution': { none: 'FORBIDDEN', A: 'FORBIDDEN', B: 'FORBIDDEN', 'A+B': 'FORBIDDEN' },
  },
} as const

/** Operations of reviewers. */
const reviewing = (cell: string) => ({
  cells: cells({ reviewer: cell, admin: cell }),
  without: {
    'admin::review-files': { reviewer: 'FORBIDDEN', admin: 'FORBIDDEN' },
  },
})

/** Operations of staff who read the files of patients. */
const withFiles = {
  cells: cells({ registrar: OK, reviewer: OK, admin: OK }),
  without: { 'patient::files': { registrar: 'FORBIDDEN', reviewer: 'FORBIDDEN', admin: 'FORBIDDEN' } },
} as const

/** What users of institutions do that may send files, of which A is one. */
const senders = {
  cells: cells({ A: OK, 'A+B': OK }),
  without: { 'patient::files': { A: 'FORBIDDEN', 'A+B': 'FORBIDDEN' } },
} as const

/** The verdicts: on every upload that a reviewer reads, whose version is then compared. */
const verdicts = {
  cells: cells({ reviewer: READ.reviewer, admin: READ.reviewer }),
  without: {
    'patient::files': { reviewer: IN_REVIEW, admin: IN_REVIEW },
    'admin::review-files': { reviewer: 'FORBIDDEN', admin: 'FORBIDDEN' },
  },
}

/** Operations of the author on a draft; on an own upload in review they come too late. */
function ofOwnDraft(names: (text: string) => string) {
  const cell = (read: string) =>
    names(`${allowing('own.draft', read.replace(' own.wait', ''))}; CONFLICT: own.wait`)
  return {
    cells: cells({
      registrar: cell(READ.registrar),
      reviewer: cell(READ.reviewer),
      admin: cell(READ.reviewer),
    }),
    without: {
      'patient::files': { registrar: 'FORBIDDEN', reviewer: 'FORBIDDEN', admin: 'FORBIDDEN' },
      'admin::review-files': { reviewer: cell(READ.registrar), admin: cell(READ.registrar) },
    },
  }
}
const withoutOwnDraft = (names: string) => names.replace('own.draft; ', '')

/** Operations on an incident, by administrators and by reviewers, who open them. */
const incidents = {
  cells: cells({ reviewer: OK, admin: OK }),
  without: { 'admin::review-files': { reviewer: 'FORBIDDEN' } },
} as const

/** Operations on the questions of the caller's institutions. */
const ofInstitutionWithFiles = {
  cells: cells({ institutions: OK }),
  without: { 'patient::files': { A: 'FORBIDDEN' } },
} as const

/** Operations on questions, by both sides. */
const withQuestions = {
  cells: cells({ institutions: OK, registrar: OK, reviewer: OK, admin: OK }),
  without: {
    'patient::files': { A: 'FORBIDDEN', registrar: 'FORBIDDEN', reviewer: 'FORBIDDEN', admin: 'FORBIDDEN' },
  },
} as const

/** Operations of staff who write news. */
const writingNews = {
  cells: cells({ admin: OK }),
  without: { 'patient::news': { admin: 'FORBIDDEN' } },
} as const
const NEWS_INPUT = '{ kind: note, text: "Notă", visibility: staff }'

const gate = (fields: string, passes?: string) => ({ fields, ...(passes && { passes }) })
const PATIENT_INPUT = '{ surname: "Pop", givenNames: "Ana" }'
const INSTITUTION_INPUT =
  '{ name: "Clinica", kind: clinic, code: "CLINICA-9", delivery: none, mayUpload: false }'
const USER_INPUT = '{ email: "nou@exemplu.test", name: "Nou", role: staff }'
const ALL_STATES = 'states: [receiving, in_review, accepted, released, rejected], first: 100'

/** What was released to an institution: for staff who may read files. */
const resultsOfInstitution = {
  of: 'institution',
  cells: cells({ registrar: 'A B', reviewer: 'A B', admin: 'A B' }),
  without: { 'patient::files': { registrar: 'FORBIDDEN', reviewer: 'FORBIDDEN', admin: 'FORBIDDEN' } },
} as const

const staffWithFiles = {
  cells: cells({ registrar: OK, reviewer: OK, admin: OK }),
  without: { 'patient::files': { registrar: 'FORBIDDEN', reviewer: 'FORBIDDEN', admin: 'FORBIDDEN' } },
} as const
/** To whom a result was announced and who has opened it. */
const ledger = {
  cells: cells({ reviewer: READ.reviewer, admin: READ.reviewer }),
  without: {
    'patient::files': { reviewer: 'FORBIDDEN', admin: 'FORBIDDEN' },
    'admin::review-files': { reviewer: 'FORBIDDEN', admin: 'FORBIDDEN' },
  },
} as const

/** A route that answers all principals alike. */
const status = (text: string) => cells({ everyone: text })
/** A route that answers 401 without a session. */
const forStatus = (text: string, given: Partial<Record<Column, string>> = {}) =>
  cells({ key: '401', signedIn: text, ...given })
const http = (
  method: string,
  path: string,
  more: { headers?: Record<string, string>; body?: string } = {},
) => ({
  http: { method, path, ...more },
})
const FORM = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'json=true' }
const JSON_BODY = { headers: { 'content-type': 'application/json' }, body: '{}' }
const OCTETS = { 'content-type': 'application/offset+octet-stream' }
/** A transfer exists only for the user who has begun it. */
const ownTransfer = {
  cells: forStatus('404', { registrar: 'own', reviewer: 'own', admin: 'own' }),
  without: { 'patient::files': { registrar: '404', reviewer: '404', admin: '404' } },
}

/** The link of the share that the recipient has proved. */
export const SHARE_TOKEN = 'link-al-matricei'

const withSharing = {
  cells: adminOnly,
  without: { 'patient::share': { admin: 'FORBIDDEN' } },
} as const

/** What every client may send for a link: what it answers depends on the link and the cookie. */
const ofAnyLink = { cells: cells({ key: OK, signedIn: OK }), ownOrPublic: true } as const

/** What only the browser reads in which the share was proved. */
const ofOwnLink = (recipient: string) => ({
  cells: cells({ everyone: '404', recipient }),
  without: { 'patient::share': { recipient: '404' }, 'patient::files': { recipient: '404' } },
})

/**
 * The permission matrix: what each operation answers to whom. A root field of the schema, a route of the
 * server or a method of tus without a row fails the test. docs/permissions.md is printed from it.
 */
export const ROWS: Readonly<Record<string, Row>> = {
  'Query.share': { ...gate('share(id: $id) { id }', 'NOT_FOUND'), ...withSharing },
  'Query.shares': { ...gate('shares { nodes { id } }'), ...withSharing },
  'Mutation.createShare': {
    ...gate(
      `createShare(input: { patientId: $id, uploadIds: [$id], recipientKind: patient, channel: link, proof: pin, reason: "x" }) { link }`,
      'NOT_FOUND',
    ),
    cells: adminOnly,
    without: { 'patient::share': { admin: 'FORBIDDEN' }, 'patient::files': { admin: 'FORBIDDEN' } },
  },
  'Mutation.endShares': { ...gate('endShares(ids: [$id], reason: "x") { id }', 'NOT_FOUND'), ...withSharing },
  'Query.sharePage': { ...gate('sharePage(token: "necunoscut") { state }'), ...ofAnyLink },
  'Mutation.proveShare': { ...gate('proveShare(token: "necunoscut", proof: "1") { outcome }'), ...ofAnyLink },
  'Mutation.sendShareCode': { ...gate('sendShareCode(token: "necunoscut")'), ...ofAnyLink },
  'Mutation.leaveShare': { ...gate('leaveShare(token: "necunoscut")'), ...ofAnyLink },
  'Query.sharedResults': {
    ...gate(`sharedResults(token: "${SHARE_TOKEN}") { uploads { id } }`),
    lists: true,
    ownOrPublic: true,
    cells: cells({ key: 'empty', recipient: 'rel.A', signedIn: 'empty' }),
    without: { 'patient::share': { recipient: 'empty' }, 'patient::files': { recipient: 'empty' } },
  },
  'GET /s/:token/files/:id': {
    ...http('GET', `/s/${SHARE_TOKEN}/files/:id`),
    of: 'file',
    ...ofOwnLink('rel.A'),
  },
  'GET /s/:token/files/:id/preview': {
    ...http('GET', `/s/${SHARE_TOKEN}/files/:id/preview`),
    of: 'file',
    ...ofOwnLink('rel.A'),
  },
  'GET /s/:token/zip': { ...http('GET', `/s/${SHARE_TOKEN}/zip`), ...ofOwnLink('200') },
  'Query.accessRequest': {
    ...gate('accessRequest(id: $id) { cnp }', 'NOT_FOUND'),
    cells: staffOnly,
  },
  'Query.accessRequestCount': { ...gate('accessRequestCount'), cells: staffOnly },
  'Query.accessRequests': { ...gate('accessRequests { nodes { id } }'), cells: staffOnly },
  'Query.ownAccessRequests': {
    ...gate('ownAccessRequests { nodes { id } }'),
    cells: cells({ institutions: OK }),
  },
  'Query.requestInstitutions': {
    ...gate('requestInstitutions { id }'),
    lists: true,
    cells: cells({ none: 'empty', A: 'A', B: 'B', 'A+B': 'A B' }),
  },
  'Query.openQuestions': { ...gate('openQuestions { nodes { id } }'), ...withFiles },
  'Query.ownQuestions': { ...gate('ownQuestions { nodes { id } }'), ...ofInstitutionWithFiles },
  'Query.question': { ...gate('question(id: $id) { id }', 'NOT_FOUND'), ...ofInstitutionWithFiles },
  'Query.questionCount': { ...gate('questionCount'), ...withQuestions },
  'Query.questions': {
    ...gate('questions(uploadId: $id) { id }'),
    of: 'upload',
    cells: cells({
      none: 'NOT_FOUND',
      A: READ.A,
      B: READ.B,
      'A+B': READ['A+B'],
      registrar: READ.registrar,
      reviewer: READ.reviewer,
      admin: READ.reviewer,
    }),
    without: {
      'patient::files': { A: 'FORBIDDEN', registrar: 'FORBIDDEN', reviewer: 'FORBIDDEN', admin: 'FORBIDDEN' },
      'admin::review-files': { reviewer: READ.registrar, admin: READ.registrar },
    },
  },
  'Query.patientNews': {
    ...gate('patientNews(patientId: $id) { id }'),
    of: 'patient',
    cells: cells({
      none: 'NOT_FOUND',
      A: 'pA pAB',
      B: 'pB pAB',
      'A+B': 'pA pB pAB',
      admin: 'pA pB pAB p0',
    }),
    without: {
      'patient::news': {
        none: 'FORBIDDEN',
        A: 'FORBIDDEN',
        B: 'FORBIDDEN',
        'A+B': 'FORBIDDEN',
        admin: 'FORBIDDEN',
      },
    },
  },
  'Query.patientNews of what was removed': {
    ...gate('patientNews(patientId: $id, removed: true) { id }', 'NOT_FOUND'),
    ...writingNews,
  },
  'Query.accountLink': {
    ...gate('accountLink(token: "necunoscut") { name }'),
    cells: cells({ key: OK, signedIn: OK }),
    ownOrPublic: true,
  },
  'Query.batch': { ...gate('batch(id: $id) { id }', 'NOT_FOUND'), ...withFiles },
  'Query.batches': { ...gate('batches { nodes { id } }'), ...withFiles },
  'Query.apiKeys': { ...gate('apiKeys { id }'), cells: adminOnly },
  'Query.integrations': { ...gate('integrations { id }'), cells: adminOnly },
  'Query.auditEvents': {
    ...gate('auditEvents(first: 1, actorId: $id) { nodes { actorId } }'),
    of: 'user',
    cells: cells({ organisation: 'own', admin: 'own others' }),
  },
  'Query.auditPeople': { ...gate('auditPeople(search: "a") { id }'), cells: adminOnly },
  'Query.categoryMoves': { ...gate('categoryMoves { from }'), cells: adminOnly },
  'Query.categoryUploads': { ...gate('categoryUploads { slug }'), cells: adminOnly },
  'Query.dashboard': { ...gate('dashboard { released }'), ...reviewing(OK) },
  'Query.turnaround': { ...gate('turnaround(days: 7) { released }'), ...reviewing(OK) },
  'Query.workOfPeople': { ...gate('workOfPeople(days: 7) { id }'), cells: cells({ admin: OK }) },
  'Query.getCategories': { ...gate('getCategories'), ...ownAccount },
  'Query.deletionRequests': {
    ...gate('deletionRequests { id }'),
    cells: cells({ institutions: OK }),
  },
  'Query.recalls': {
    ...gate('recalls(uploadId: $id) { id }'),
    cells: cells({ institutions: OK }),
    without: { 'patient::files': { none: 'FORBIDDEN', A: 'FORBIDDEN', B: 'FORBIDDEN', 'A+B': 'FORBIDDEN' } },
  },
  'Query.inbox': {
    ...gate('inbox(first: 100) { nodes { id } }'),
    lists: true,
    cells: cells({ none: 'empty', A: READ.A, B: READ.B, 'A+B': READ['A+B'] }),
    without: { 'patient::files': { none: 'FORBIDDEN', A: 'FORBIDDEN', B: 'FORBIDDEN', 'A+B': 'FORBIDDEN' } },
  },
  'Query.inboxCounts': {
    ...gate('inboxCounts { open }'),
    cells: cells({ institutions: OK }),
    without: { 'patient::files': { none: 'FORBIDDEN', A: 'FORBIDDEN', B: 'FORBIDDEN', 'A+B': 'FORBIDDEN' } },
  },
  'Query.memberships': {
    ...gate('memberships { institutionId departments { id } doctors { name } }'),
    cells: cells({ institutions: OK }),
  },
  'Query.incident': {
    ...gate('incident(id: $id) { id }', 'NOT_FOUND'),
    ...incidents,
  },
  'Query.incidents': { ...gate('incidents { nodes { id } }'), cells: adminOnly },
  'Query.institution': {
    ...gate('institution(id: $id) { id name users { id } }'),
    of: 'institution',
    cells: cells({ none: 'NOT_FOUND', A: 'A', B: 'B', 'A+B': 'A B', organisation: 'A B' }),
  },
  'Query.institutionFigures': {
    ...gate('institutionFigures(institutionId: $id) { released }'),
    ...resultsOfInstitution,
  },
  'Query.institutionResults': {
    ...gate('institutionResults(institutionId: $id) { nodes { id } }'),
    ...resultsOfInstitution,
  },
  'Query.institutionSuspension': {
    ...gate('institutionSuspension(id: $id) { losing }'),
    of: 'institution',
    cells: cells({ admin: 'A B' }),
  },
  'Query.institutions': {
    ...gate('institutions(open: true, first: 100) { nodes { id } }'),
    lists: true,
    cells: cells({ organisation: 'A B' }),
  },
  'Query.lastAuditVerification': { ...gate('lastAuditVerification { id }'), cells: adminOnly },
  'Query.me': { ...gate('me { id }'), lists: true, cells: cells({ signedIn: 'own' }), ownOrPublic: true },
  'Query.mergePreview': {
    ...gate('mergePreview(survivorId: $id, mergedId: $id) { obstacle }', 'NOT_FOUND'),
    ...withFiles,
  },
  'Query.mailPreviews': { ...gate('mailPreviews { kind }'), cells: adminOnly },
  'Query.messages': { ...gate('messages { nodes { id } }'), cells: adminOnly },
  'Query.moveComparison': {
    ...gate('moveComparison(uploadId: $id, patientId: "") { lines { what } }', 'BAD_USER_INPUT'),
    of: 'upload',
    ...verdicts,
  },
  'Query.operation': { ...gate('operation(id: $id) { id }', 'NOT_FOUND'), cells: staffOnly },
  'Query.operations': { ...gate('operations { nodes { id } }'), cells: staffOnly },
  'Query.mySecurity': { ...gate('mySecurity { hasSecondFactor }'), ...ownAccount },
  'Query.mySessions': {
    ...gate('mySessions { id }'),
    lists: true,
    cells: cells({ signedIn: 'own' }),
    ownOrPublic: true,
  },
  'Query.myUploads': {
    ...gate(`myUploads(${ALL_STATES}) { nodes { id } }`),
    lists: true,
    cells: cells({
      registrar: 'own.draft own.wait',
      reviewer: 'own.draft own.wait',
      admin: 'own.draft own.wait',
    }),
    without: { 'patient::files': { registrar: 'FORBIDDEN', reviewer: 'FORBIDDEN', admin: 'FORBIDDEN' } },
  },
  'Query.deliveryLedger': {
    ...gate('deliveryLedger(uploadId: $id) { nodes { uploadId } }'),
    of: 'upload',
    ...ledger,
  },
  'Query.unopenedInstitutions': {
    ...gate('unopenedInstitutions { institutionId }'),
    ...staffWithFiles,
  },
  'Query.openings': {
    ...gate('openings(uploadId: $id) { name }'),
    of: 'upload',
    ...verdicts,
  },
  'Query.ownInstitutions': {
    ...gate('ownInstitutions { id }'),
    lists: true,
    cells: cells({ none: 'empty', A: 'A', B: 'B', 'A+B': 'A B' }),
    without: {
      'profile::institution': { none: 'FORBIDDEN', A: 'FORBIDDEN', B: 'FORBIDDEN', 'A+B': 'FORBIDDEN' },
    },
  },
  'Query.ownNotices': {
    ...gate('ownNotices { uploadId }'),
    cells: cells({ registrar: OK, reviewer: OK, admin: OK }),
    without: { 'patient::files': { registrar: 'FORBIDDEN', reviewer: 'FORBIDDEN', admin: 'FORBIDDEN' } },
  },
  'Query.notifications': { ...gate('notifications { kind items { id } }'), cells: signedIn },
  'Query.notificationCount': { ...gate('notificationCount'), cells: signedIn },
  'Query.notificationSettings': { ...gate('notificationSettings { kind }'), cells: signedIn },
  'Query.queueCounts': { ...gate('queueCounts { count }'), ...reviewing(OK) },
  'Query.reviewPlace': { ...gate('reviewPlace(uploadId: $id) { place }'), ...reviewing(OK) },
  'Query.patient': {
    ...gate('patient(id: $id) { id name referrals { id institutionId } }'),
    of: 'patient',
    cells: cells({
      none: 'NOT_FOUND',
      A: 'pA pAB',
      B: 'pB pAB',
      'A+B': 'pA pB pAB',
      organisation: 'pA pB pAB p0',
    }),
  },
  'Query.patientAccess': { ...gate('patientAccess(patientId: $id) { nodes { id } }'), cells: adminOnly },
  'Query.patients': {
    ...gate('patients(search: "Matricea", first: 100) { nodes { id } }'),
    lists: true,
    cells: cells({
      none: 'empty',
      A: 'pA pAB',
      B: 'pB pAB',
      'A+B': 'pA pB pAB',
      organisation: 'pA pB pAB p0',
    }),
  },
  'Query.patients of an institution': {
    ...gate('patients(institutionId: $id, search: "Matricea", first: 100) { nodes { id } }'),
    of: 'institution',
    cells: cells({ none: 'empty', A: 'A', B: 'B', 'A+B': 'A B', organisation: 'A B' }),
  },
  'Query.patientImport': { ...gate('patientImport(id: $id) { id }', 'NOT_FOUND'), cells: staffOnly },
  'Query.patientImportLines': {
    ...gate('patientImportLines(importId: $id) { nodes { line } }', 'NOT_FOUND'),
    cells: staffOnly,
  },
  'Query.patientImports': { ...gate('patientImports { nodes { id } }'), cells: staffOnly },
  'Query.possibleDuplicates': {
    ...gate('possibleDuplicates(surname: "Primei", givenNames: "Matricea") { patient { id } }'),
    cells: staffOnly,
  },
  'Query.publicSite': {
    ...gate('publicSite { name }'),
    cells: cells({ key: OK, signedIn: OK }),
    ownOrPublic: true,
  },
  'Query.search of patients and institutions': {
    ...gate(
      'search(query: "Matricea", kinds: [PATIENT, INSTITUTION]) { patients { id } institutions { id } }',
    ),
    lists: true,
    cells: cells({
      none: 'empty',
      A: 'pA pAB',
      B: 'pB pAB',
      'A+B': 'pA pB pAB',
      organisation: 'pA pB pAB p0 A B',
    }),
  },
  'Query.search of uploads': {
    ...gate('search(query: "Amândurora", kinds: [UPLOAD]) { uploads { id } }'),
    lists: true,
    cells: cells({
      none: 'empty',
      A: 'ab.A',
      B: 'ab.B',
      'A+B': 'ab.A ab.B',
      organisation: 'ab.A ab.B',
      staff: 'empty',
    }),
    without: {
      'patient::files': {
        A: 'empty',
        B: 'empty',
        'A+B': 'empty',
        registrar: 'empty',
        reviewer: 'empty',
        admin: 'empty',
      },
    },
  },
  'Query.proposedCategory': {
    ...gate('proposedCategory(text: "hemoleucograma") { slug }'),
    cells: staffOnly,
  },
  'Query.setupChecklist': { ...gate('setupChecklist { backupStatedAt }'), cells: adminOnly },
  'Query.siteSettings': { ...gate('siteSettings { version }'), cells: adminOnly },
  'Query.system': { ...gate('system { nodeVersion }'), cells: adminOnly },
  'Query.upload': {
    ...gate('upload(id: $id) { id title patient { id } files { id } }'),
    of: 'upload',
    ...readUploads('NOT_FOUND'),
  },
  'Query.uploads': {
    ...gate(`uploads(${ALL_STATES}) { nodes { id } }`),
    lists: true,
    cells: cells({ reviewer: READ.reviewer, admin: READ.reviewer }),
    without: {
      'patient::files': { reviewer: IN_REVIEW, admin: IN_REVIEW },
      'admin::review-files': { reviewer: 'FORBIDDEN', admin: 'FORBIDDEN' },
    },
  },
  'Query.user': { ...gate('user(id: $id) { id }'), of: 'user', cells: cells({ admin: 'own others' }) },
  'Query.userSessions': { ...gate('userSessions(userId: $id) { id }'), cells: adminOnly },
  'Query.users': {
    ...gate('users(first: 100) { nodes { id } }'),
    lists: true,
    cells: cells({ admin: 'own others' }),
  },

  'Mutation.acceptAccessRequest': {
    ...gate('acceptAccessRequest(id: $id, patientId: $id) { id }', 'NOT_FOUND'),
    cells: staffOnly,
  },
  'Mutation.refuseAccessRequest': {
    ...gate('refuseAccessRequest(id: $id, refusal: neutral) { id }', 'NOT_FOUND'),
    cells: staffOnly,
  },
  'Mutation.requestAccess': {
    ...gate(
      'requestAccess(request: { institutionId: $id, surname: "Pop", givenNames: "Ana", birthDate: "1980-01-01", purpose: "Control" })',
    ),
    of: 'institution',
    cells: cells({ none: 'NOT_FOUND', A: 'A', B: 'B', 'A+B': 'A B' }),
  },
  'Mutation.askQuestion': {
    ...gate('askQuestion(uploadId: $id, text: "De ce?") { id }'),
    of: 'upload',
    cells: cells({ none: 'NOT_FOUND', A: READ.A, B: READ.B, 'A+B': READ['A+B'] }),
    without: { 'patient::files': { A: 'FORBIDDEN' } },
  },
  'Mutation.answerQuestion': {
    ...gate('answerQuestion(id: $id, text: "Da") { id }', 'NOT_FOUND'),
    ...withFiles,
  },
  'Mutation.closeQuestion': {
    ...gate('closeQuestion(id: $id, version: 1) { id }', 'NOT_FOUND'),
    ...withQuestions,
  },
  'Mutation.markQuestionRead': {
    ...gate('markQuestionRead(id: $id) { id }', 'NOT_FOUND'),
    ...ofInstitutionWithFiles,
  },
  'Mutation.createNews': {
    ...gate(`createNews(patientId: $id, news: ${NEWS_INPUT}, shownTo: []) { id }`, 'NOT_FOUND'),
    ...writingNews,
  },
  'Mutation.editNews': {
    ...gate(`editNews(id: $id, version: 1, news: ${NEWS_INPUT}, shownTo: []) { id }`, 'NOT_FOUND'),
    ...writingNews,
  },
  'Mutation.pinNews': { ...gate('pinNews(id: $id, version: 1) { id }', 'NOT_FOUND'), ...writingNews },
  'Mutation.removeNews': { ...gate('removeNews(id: $id, version: 1)', 'NOT_FOUND'), ...writingNews },
  'Mutation.markNewsRead': {
    ...gate('markNewsRead(readings: [{ id: $id, revision: 1 }]) { id }'),
    cells: cells({ institutions: OK, admin: OK }),
    without: {
      'patient::news': {
        none: 'FORBIDDEN',
        A: 'FORBIDDEN',
        B: 'FORBIDDEN',
        'A+B': 'FORBIDDEN',
        admin: 'FORBIDDEN',
      },
    },
  },
  'Mutation.markResults': {
    ...gate('markResults(ids: [$id], mark: take) { changed { id } unchanged { id } }'),
    of: 'upload',
    cells: cells({ none: 'NOT_FOUND', A: READ.A, B: READ.B, 'A+B': READ['A+B'] }),
    without: { 'patient::files': { none: 'FORBIDDEN', A: 'FORBIDDEN', B: 'FORBIDDEN', 'A+B': 'FORBIDDEN' } },
  },
  'Mutation.keepInboxFilters': {
    ...gate('keepInboxFilters(ownDepartments: true)'),
    cells: cells({ institutions: OK }),
    without: { 'patient::files': { none: 'FORBIDDEN', A: 'FORBIDDEN', B: 'FORBIDDEN', 'A+B': 'FORBIDDEN' } },
  },
  'Mutation.markNotificationsSeen': { ...gate('markNotificationsSeen(seen: [])'), cells: signedIn },
  'Mutation.chooseNotifications': {
    ...gate('chooseNotifications(kind: results, isOn: true) { kind }'),
    cells: cells({ institutions: OK }),
    without: { 'patient::files': { none: 'FORBIDDEN', A: 'FORBIDDEN', B: 'FORBIDDEN', 'A+B': 'FORBIDDEN' } },
  },
  'Mutation.createDepartment': {
    ...gate('createDepartment(institutionId: $id, name: "", doctors: []) { id }', 'BAD_USER_INPUT'),
    of: 'institution',
    cells: cells({ none: 'NOT_FOUND', A: 'A', B: 'B', 'A+B': 'A B', admin: 'A B' }),
    without: {
      'profile::institution': { none: 'FORBIDDEN', A: 'FORBIDDEN', B: 'FORBIDDEN', 'A+B': 'FORBIDDEN' },
    },
  },
  'Mutation.updateDepartment': {
    ...gate('updateDepartment(id: $id, version: 1, name: "Interne", doctors: []) { id }', 'NOT_FOUND'),
    ...departments,
  },
  'Mutation.removeDepartment': {
    ...gate('removeDepartment(id: $id, version: 1)', 'NOT_FOUND'),
    ...departments,
  },
  'Mutation.chooseDelivery': {
    ...gate('chooseDelivery(institutionId: $id) { institutionId }'),
    of: 'institution',
    cells: cells({ none: 'NOT_FOUND', A: 'A', B: 'B', 'A+B': 'A B' }),
  },
  'Mutation.chooseDepartment': {
    ...gate('chooseDepartment(institutionId: $id) { institutionId }'),
    of: 'institution',
    cells: cells({ none: 'NOT_FOUND', A: 'A', B: 'B', 'A+B': 'A B' }),
  },
  'Query.sendingInstitutions': {
    ...gate('sendingInstitutions { id }'),
    lists: true,
    cells: cells({ none: 'empty', A: 'A', B: 'empty', 'A+B': 'A' }),
    without: { 'patient::files': { A: 'empty', 'A+B': 'empty' } },
  },
  'Query.sentUploads': { ...gate('sentUploads { nodes { id } }'), ...senders },
  'Query.sentDrafts': { ...gate('sentDrafts { id }'), ...senders },
  'Query.sentDraft': { ...gate('sentDraft(id: $id) { id }', 'NOT_FOUND'), ...senders },

  'Mutation.createSentUpload': {
    ...gate(
      'createSentUpload(institutionId: $id, upload: { title: "Analize", patientId: $id }) { id }',
      'NOT_FOUND',
    ),
    ...senders,
  },
  'Mutation.editSentUpload': {
    ...gate('editSentUpload(id: $id, version: 1, upload: { title: "Analize" }) { id }', 'NOT_FOUND'),
    ...senders,
  },
  'Mutation.submitSentUpload': { ...gate('submitSentUpload(id: $id) { id }', 'NOT_FOUND'), ...senders },
  'Mutation.discardSentFile': {
    ...gate('discardSentFile(uploadId: $id, fileId: $id) { id }', 'NOT_FOUND'),
    ...senders,
  },
  'Mutation.withdrawSentUpload': { ...gate('withdrawSentUpload(id: $id) { id }', 'NOT_FOUND'), ...senders },
  'Mutation.addToBatch': {
    ...gate('addToBatch(batchId: $id, files: []) { key }', 'NOT_FOUND'),
    ...withFiles,
  },
  'Mutation.acceptSureGroups': {
    ...gate('acceptSureGroups(batchId: $id, version: 1) { done }', 'NOT_FOUND'),
    ...withFiles,
  },
  'Mutation.undoFiling': {
    ...gate('undoFiling(batchId: $id) { done }', 'NOT_FOUND'),
    ...withFiles,
  },
  'Mutation.closeBatch': {
    ...gate('closeBatch(id: $id) { id }', 'NOT_FOUND'),
    ...withFiles,
  },
  'Mutation.createBatch': {
    ...gate('createBatch(name: " ") { id }', 'BAD_USER_INPUT'),
    ...withFiles,
  },
  'Mutation.acceptGroup': {
    ...gate('acceptGroup(uploadId: $id, version: 1) { id }', 'NOT_FOUND'),
    ...withFiles,
  },
  'Mutation.chooseGroupPatient': {
    ...gate('chooseGroupPatient(uploadId: $id, patientId: $id) { id }', 'NOT_FOUND'),
    ...withFiles,
  },
  'Mutation.regroupFiles': {
    ...gate('regroupFiles(uploadId: $id, fileIds: []) { id }', 'NOT_FOUND'),
    ...withFiles,
  },
  'Mutation.revealFoundPerson': {
    ...gate('revealFoundPerson(uploadId: $id) { cnp }', 'NOT_FOUND'),
    ...withFiles,
  },
  'Mutation.acceptUpload': {
    ...gate('acceptUpload(id: $id, version: 999) { id }', 'CONFLICT'),
    of: 'upload',
    ...verdicts,
  },
  'Mutation.undoVerdict': {
    ...gate('undoVerdict(id: $id, version: 999) { id }', 'CONFLICT'),
    of: 'upload',
    ...verdicts,
  },
  'Mutation.allowPatientImportLines': {
    ...gate('allowPatientImportLines(id: $id, lines: [2], allowed: true) { id }', 'NOT_FOUND'),
    cells: staffOnly,
  },
  'Mutation.beginPasskey': { ...gate('beginPasskey'), ...ownAccount },
  'Mutation.beginPasskeyProof': {
    ...gate('beginPasskeyProof'),
    ...ownAccount,
  },
  'Mutation.beginSecondFactor': {
    ...gate('beginSecondFactor(password: "") { uri }', 'BAD_USER_INPUT'),
    ...ownAccount,
  },
  'Mutation.addPasskey': {
    ...gate('addPasskey(name: "cheie", response: "x") { recoveryCodes }', 'CONFLICT'),
    ...ownAccount,
  },
  'Mutation.addIncidentNote': {
    ...gate('addIncidentNote(id: $id, text: "Notă") { id }', 'NOT_FOUND'),
    ...incidents,
  },
  'Mutation.acknowledgeRecall': {
    ...gate('acknowledgeRecall(id: $id) { id }', 'NOT_FOUND'),
    cells: cells({ institutions: OK }),
    without: { 'patient::files': { none: 'FORBIDDEN', A: 'FORBIDDEN', B: 'FORBIDDEN', 'A+B': 'FORBIDDEN' } },
  },
  'Mutation.answerDeletionRequest': {
    ...gate('answerDeletionRequest(id: $id) { id }', 'NOT_FOUND'),
    cells: cells({ institutions: OK }),
  },
  'Mutation.cancelInvitation': { ...gate('cancelInvitation(userId: $id)', 'NOT_FOUND'), cells: adminOnly },
  'Mutation.changePassword': {
    ...gate('changePassword(current: "", next: "")', 'BAD_USER_INPUT'),
    ...ownAccount,
  },
  'Mutation.reopenIncident': {
    ...gate('reopenIncident(id: $id, version: 1, reason: "Gata") { id }', 'NOT_FOUND'),
    cells: adminOnly,
  },
  'Mutation.checkPatientImport': {
    ...gate('checkPatientImport(id: $id, version: 1, columns: [], overwrites: false) { id }', 'NOT_FOUND'),
    cells: staffOnly,
  },
  'Mutation.closeIncident': {
    ...gate('closeIncident(id: $id, version: 1, reason: "Gata") { id }', 'NOT_FOUND'),
    cells: adminOnly,
  },
  'Mutation.confirmSecondFactor': {
    ...gate('confirmSecondFactor(ticket: "x", code: "1")', 'CONFLICT'),
    ...ownAccount,
  },
  'Mutation.createApiKey': { ...gate('createApiKey(name: "") { key }', 'BAD_USER_INPUT'), cells: adminOnly },
  'Mutation.createIntegration': {
    ...gate(
      'createIntegration(input: { name: "", kind: program, addresses: [], submitsToReview: false }) { key }',
      'BAD_USER_INPUT',
    ),
    cells: adminOnly,
  },
  'Mutation.updateIntegration': {
    ...gate(
      'updateIntegration(id: $id, version: 1, input: { name: "a", kind: program, addresses: [], submitsToReview: false }) { id }',
      'NOT_FOUND',
    ),
    cells: adminOnly,
  },
  'Mutation.revokeIntegration': {
    ...gate('revokeIntegration(id: $id) { id }', 'NOT_FOUND'),
    cells: adminOnly,
  },
  'Mutation.createInstitution': {
    ...gate(
      `createInstitution(institution: ${INSTITUTION_INPUT.replace('Clinica', ' ')}) { id }`,
      'BAD_USER_INPUT',
    ),
    cells: adminOnly,
  },
  'Mutation.createPatient': {
    ...gate(`createPatient(patient: ${PATIENT_INPUT.replace('Pop', ' ')}) { id }`, 'BAD_USER_INPUT'),
    cells: staffOnly,
  },
  'Mutation.createReferral': {
    ...gate('createReferral(referral: { patientId: $id, institutionId: $id }) { id }', 'NOT_FOUND'),
    cells: staffOnly,
  },
  'Mutation.correctUpload': {
    ...gate(
      'correctUpload(id: $id, version: 999, upload: { title: "Titlu" }, reason: "Greșit") { id }',
      'CONFLICT',
    ),
    of: 'upload',
    ...verdicts,
  },
  'Mutation.createUpload': {
    ...gate('createUpload(upload: { title: " " }) { id }', 'BAD_USER_INPUT'),
    cells: cells({ registrar: OK, reviewer: OK, admin: OK }),
    without: { 'patient::files': { registrar: 'FORBIDDEN', reviewer: 'FORBIDDEN', admin: 'FORBIDDEN' } },
  },
  'Mutation.disableSecondFactor': {
    ...gate('disableSecondFactor(password: "", code: "1")', 'BAD_USER_INPUT'),
    ...ownAccount,
  },
  // The drafts have no file here, so that they are answered like an unknown upload.
  'Mutation.discardFile': {
    ...gate('discardFile(uploadId: $id, fileId: $id) { id }'),
    of: 'upload',
    ...ofOwnDraft(withoutOwnDraft),
  },
  'Mutation.editUpload': {
    ...gate('editUpload(id: $id, version: 999, upload: { title: "Titlu" }) { id }', 'CONFLICT'),
    of: 'upload',
    cells: cells({
      institutions: 'FORBIDDEN',
      staff: 'NOT_FOUND',
      registrar: allowing('own.draft own.wait', READ.registrar),
      reviewer: allowing('wait decided draft own.draft own.wait', READ.reviewer),
      admin: allowing('wait decided draft own.draft own.wait', READ.reviewer),
    }),
    without: {
      'patient::files': { registrar: 'NOT_FOUND', reviewer: IN_REVIEW, admin: IN_REVIEW },
      'admin::review-files': {
        reviewer: allowing('own.draft own.wait', READ.registrar),
        admin: allowing('own.draft own.wait', READ.registrar),
      },
    },
  },
  'Mutation.removePatientImport': { ...gate('removePatientImport(id: $id)', 'NOT_FOUND'), cells: staffOnly },
  'Mutation.rereadPatientImport': {
    ...gate('rereadPatientImport(id: $id, version: 1, encoding: "utf-8") { id }', 'NOT_FOUND'),
    cells: staffOnly,
  },
  'Mutation.startPatientImport': {
    ...gate('startPatientImport(id: $id, version: 1) { id }', 'NOT_FOUND'),
    cells: staffOnly,
  },
  'Mutation.stopPatientImport': {
    ...gate('stopPatientImport(id: $id) { id }', 'NOT_FOUND'),
    cells: staffOnly,
  },
  'Mutation.proveIdentity': {
    ...gate('proveIdentity(password: "")', 'CONFLICT'),
    ...ownAccount,
  },
  'Mutation.removePasskey': {
    ...gate('removePasskey(id: $id)', 'NOT_FOUND'),
    ...ownAccount,
  },
  'Mutation.renamePasskey': {
    ...gate('renamePasskey(id: $id, name: "cheie")', 'NOT_FOUND'),
    ...ownAccount,
  },
  'Mutation.endOtherSessions': {
    ...gate('endOtherSessions'),
    undo: 'own-sessions',
    ...ownAccount,
  },
  'Mutation.cancelOperation': {
    ...gate('cancelOperation(id: $id) { id }', 'NOT_FOUND'),
    cells: staffOnly,
  },
  'Mutation.planOperation': {
    ...gate(
      'planOperation(kind: title, selection: {}, parameters: { title: "RM" }) { id }',
      'BAD_USER_INPUT',
    ),
    cells: cells({ registrar: OK, reviewer: OK, admin: OK }),
    without: { 'patient::files': { registrar: 'FORBIDDEN' } },
  },
  'Mutation.startOperation': {
    ...gate('startOperation(id: $id, version: 1) { id }', 'NOT_FOUND'),
    cells: staffOnly,
  },
  'Mutation.undoOperation': {
    ...gate('undoOperation(id: $id, version: 1) { id }', 'NOT_FOUND'),
    cells: staffOnly,
  },
  'Mutation.endSession': {
    ...gate('endSession(id: $id)'),
    of: 'session',
    undo: 'session',
    cells: cells({ signedIn: 'own', admin: 'own others' }),
  },
  'Mutation.findPatientByCnp': { ...gate('findPatientByCnp(cnp: "1") { id }'), cells: staffOnly },
  'Mutation.inviteUser': {
    ...gate(`inviteUser(invitation: ${USER_INPUT.replace('nou@', '')}) { link }`, 'BAD_USER_INPUT'),
    cells: adminOnly,
  },
  'Mutation.markDistinctPatients': {
    ...gate('markDistinctPatients(patientId: $id, otherId: $id) { id }', 'NOT_FOUND'),
    cells: staffOnly,
  },
  'Mutation.mergePatients': {
    ...gate(
      'mergePatients(survivorId: $id, survivorVersion: 1, mergedId: $id, mergedVersion: 1) { id }',
      'BAD_USER_INPUT',
    ),
    ...withFiles,
  },
  'Mutation.moveFiles': {
    ...gate('moveFiles(uploadId: $id, fileIds: [], patientId: $id) { id }', 'BAD_USER_INPUT'),
    of: 'upload',
    ...ofOwnDraft((text) => text),
  },
  'Mutation.moveReleasedUpload': {
    ...gate(
      'moveReleasedUpload(id: $id, version: 999, patientId: $id, reason: "Alt pacient") { id }',
      'CONFLICT',
    ),
    of: 'upload',
    ...verdicts,
  },
  'Mutation.hideSetup': { ...gate('hideSetup(hidden: false)'), cells: adminOnly },
  'Mutation.installCategoryTemplate': {
    ...gate('installCategoryTemplate', 'CONFLICT'),
    cells: adminOnly,
  },
  'Mutation.stateBackup': { ...gate('stateBackup'), cells: adminOnly },
  'Mutation.newRecoveryCodes': {
    ...gate('newRecoveryCodes', 'CONFLICT'),
    ...ownAccount,
  },
  'Mutation.reactivateInstitution': {
    ...gate('reactivateInstitution(id: $id, version: 999) { id }', 'CONFLICT'),
    of: 'institution',
    cells: cells({ admin: 'A B' }),
  },
  'Mutation.reactivateUser': { ...gate('reactivateUser(userId: $id) { id }', 'NOT_FOUND'), cells: adminOnly },
  'Mutation.rejectUpload': {
    ...gate('rejectUpload(id: $id, version: 999, reason: "incomplete") { id }', 'CONFLICT'),
    of: 'upload',
    ...verdicts,
  },
  'Mutation.releaseUpload': {
    ...gate('releaseUpload(id: $id, version: 999) { id }', 'CONFLICT'),
    of: 'upload',
    ...verdicts,
  },
  'Mutation.removeFile': {
    ...gate('removeFile(id: $id, reason: "Greșit") { id }'),
    of: 'file',
    undo: 'removed-file',
    cells: cells({ admin: withoutDrafts(READ.reviewer) }),
    without: { 'patient::files': { admin: 'FORBIDDEN' }, 'admin::remove-files': { admin: 'FORBIDDEN' } },
  },
  'Mutation.removeSecondFactor': {
    ...gate('removeSecondFactor(userId: $id)', 'NOT_FOUND'),
    cells: adminOnly,
  },
  'Mutation.replaceUpload': {
    ...gate('replaceUpload(id: $id, version: 999, reason: "Greșit") { id }', 'CONFLICT'),
    of: 'upload',
    cells: cells({ registrar: READ.registrar, reviewer: READ.reviewer, admin: READ.reviewer }),
    without: {
      'patient::files': { registrar: 'FORBIDDEN', reviewer: 'FORBIDDEN', admin: 'FORBIDDEN' },
      'admin::review-files': { reviewer: READ.registrar, admin: READ.registrar },
    },
  },
  'Mutation.resendInvitation': {
    ...gate('resendInvitation(userId: $id) { link }', 'NOT_FOUND'),
    cells: adminOnly,
  },
  'Mutation.restoreFile': {
    ...gate('restoreFile(id: $id) { id }'),
    of: 'removedFile',
    undo: 'restored-file',
    cells: cells({ admin: 'rel.A' }),
    without: { 'patient::files': { admin: 'FORBIDDEN' }, 'admin::remove-files': { admin: 'FORBIDDEN' } },
  },
  'Mutation.resendAnnouncements': {
    ...gate('resendAnnouncements(institutionIds: [$id]) { people }'),
    ...resultsOfInstitution,
  },
  'Mutation.retryMessage': { ...gate('retryMessage(id: $id)', 'NOT_FOUND'), cells: adminOnly },
  'Mutation.retryJob': { ...gate('retryJob(id: $id, name: "check-upload")', 'NOT_FOUND'), cells: adminOnly },
  'Mutation.returnUpload': {
    ...gate('returnUpload(id: $id, version: 999) { id }', 'CONFLICT'),
    of: 'upload',
    ...verdicts,
  },
  'Mutation.revealCnp': {
    ...gate('revealCnp(patientId: $id)'),
    of: 'patient',
    cells: cells({
      none: 'NOT_FOUND',
      A: 'pA pAB',
      B: 'pB pAB',
      'A+B': 'pA pB pAB',
      organisation: 'pA pB pAB p0',
    }),
  },
  'Mutation.revokeApiKey': { ...gate('revokeApiKey(id: $id)', 'NOT_FOUND'), cells: adminOnly },
  'Mutation.saveCategories': { ...gate('saveCategories(input: "x")', 'BAD_USER_INPUT'), cells: adminOnly },
  'Mutation.saveIncidentNotices': {
    ...gate('saveIncidentNotices(id: $id, version: 1) { id }', 'NOT_FOUND'),
    cells: adminOnly,
  },
  'Mutation.saveSettings': {
    ...gate('saveSettings(version: 1, changes: { nimic: 1 }) { version }', 'BAD_USER_INPUT'),
    cells: adminOnly,
  },
  'Mutation.sendPasswordReset': {
    ...gate('sendPasswordReset(userId: $id) { id }', 'NOT_FOUND'),
    cells: adminOnly,
  },
  'Mutation.sendTestMessage': { ...gate('sendTestMessage { id }'), cells: adminOnly },
  'Mutation.submitUpload': {
    ...gate('submitUpload(id: $id, files: []) { id }', 'CONFLICT'),
    of: 'upload',
    cells: cells({
      staff: 'NOT_FOUND',
      registrar: allowing('own.draft own.wait', READ.registrar),
      reviewer: allowing('own.draft own.wait', READ.reviewer),
      admin: allowing('own.draft own.wait', READ.reviewer),
    }),
    without: {
      'patient::files': {
        registrar: 'NOT_FOUND',
        reviewer: `FORBIDDEN: ${IN_REVIEW}`,
        admin: `FORBIDDEN: ${IN_REVIEW}`,
      },
      'admin::review-files': {
        reviewer: allowing('own.draft own.wait', READ.registrar),
        admin: allowing('own.draft own.wait', READ.registrar),
      },
    },
  },
  'Mutation.suspendInstitution': {
    ...gate('suspendInstitution(id: $id, version: 999) { id }', 'CONFLICT'),
    of: 'institution',
    cells: cells({ admin: 'A B' }),
  },
  'Mutation.suspendUser': { ...gate('suspendUser(userId: $id) { id }', 'NOT_FOUND'), cells: adminOnly },
  'Mutation.undoMerge': {
    ...gate('undoMerge(id: $id) { uploadsToCheck }', 'NOT_FOUND'),
    ...withFiles,
  },
  'Mutation.updateInstitution': {
    ...gate(`updateInstitution(id: $id, version: 999, institution: ${INSTITUTION_INPUT}) { id }`, 'CONFLICT'),
    of: 'institution',
    cells: cells({ admin: 'A B' }),
  },
  'Mutation.updateOwnInstitution': {
    ...gate('updateOwnInstitution(id: $id, version: 999, profile: { delivery: none }) { id }', 'CONFLICT'),
    of: 'institution',
    cells: cells({ none: 'NOT_FOUND', A: 'A', B: 'B', 'A+B': 'A B' }),
    without: {
      'profile::institution': { none: 'FORBIDDEN', A: 'FORBIDDEN', B: 'FORBIDDEN', 'A+B': 'FORBIDDEN' },
    },
  },
  'Mutation.updatePatient': {
    ...gate(`updatePatient(id: $id, version: 999, patient: ${PATIENT_INPUT}) { id }`, 'CONFLICT'),
    of: 'patient',
    cells: cells({ organisation: 'pA pB pAB p0' }),
  },
  'Mutation.updateReferral': {
    ...gate(
      'updateReferral(id: $id, version: 1, referral: { institutionId: $id }) { uploadsNoLongerShown }',
      'NOT_FOUND',
    ),
    cells: staffOnly,
  },
  'Mutation.updateUser': {
    ...gate(`updateUser(id: $id, version: 999, user: ${USER_INPUT}) { id }`, 'CONFLICT'),
    of: 'user',
    cells: cells({ admin: 'own others' }),
  },
  'Mutation.verifyAudit': { ...gate('verifyAudit'), cells: adminOnly },
  'Mutation.withdrawUpload': {
    ...gate('withdrawUpload(id: $id) { id }'),
    of: 'upload',
    undo: 'upload-state',
    cells: cells({
      staff: 'NOT_FOUND',
      registrar: allowing('own.draft own.wait', READ.registrar),
      reviewer: allowing(READ.reviewer.replace(' draft', ''), READ.reviewer),
      admin: allowing(READ.reviewer.replace(' draft', ''), READ.reviewer),
    }),
    without: {
      'patient::files': { registrar: 'NOT_FOUND', reviewer: IN_REVIEW, admin: IN_REVIEW },
      'admin::review-files': {
        reviewer: allowing('own.draft own.wait', READ.registrar),
        admin: allowing('own.draft own.wait', READ.registrar),
      },
    },
  },

  'Subscription.batchChanged': { ...gate('batchChanged(id: $id) { id }', 'NOT_FOUND'), ...withFiles },
  'Subscription.siteChanged': {
    ...gate('siteChanged'),
    cells: cells({ key: '401', signedIn: OK }),
    ownOrPublic: true,
  },
  'Subscription.uploadChanged': {
    ...gate('uploadChanged { id }'),
    of: 'upload',
    cells: cells({
      key: '401',
      none: 'empty',
      A: READ.A,
      B: READ.B,
      'A+B': READ['A+B'],
      staff: 'empty',
      registrar: READ.registrar,
      reviewer: READ.reviewer,
      admin: READ.reviewer,
    }),
  },

  'GET /healthz': { ...http('GET', '/healthz'), cells: status('200') },
  'GET /api/auth/:action{(?:providers|session)}': {
    ...http('GET', '/api/auth/session'),
    lists: true,
    cells: cells({ anonymous: '200', key: '200', signedIn: 'own' }),
  },
  'GET /api/auth/second-factor': { ...http('GET', '/api/auth/second-factor'), cells: status('200') },
  'GET /api/auth/end': { ...http('GET', '/api/auth/end'), cells: status('200') },
  'GET /api/auth/:action{(?:csrf|signin|signout)}': {
    ...http('GET', '/api/auth/csrf'),
    cells: status('200'),
  },
  'POST /api/auth/signin/local': { ...http('POST', '/api/auth/signin/local', FORM), cells: status('200') },
  'POST /api/auth/use': { ...http('POST', '/api/auth/use'), cells: status('200') },
  'POST /api/auth/passkey': { ...http('POST', '/api/auth/passkey', FORM), cells: status('400') },
  'POST /api/auth/:action{callback}/:provider{(?:local|link|second-factor|passkey)}': {
    ...http('POST', '/api/auth/callback/local', FORM),
    cells: status('MissingCSRF'),
  },
  'POST /api/auth/:action{signout}': {
    ...http('POST', '/api/auth/signout', FORM),
    cells: status('MissingCSRF'),
  },
  'POST /api/password-reset': { ...http('POST', '/api/password-reset', JSON_BODY), cells: status('400') },
  'GET /api/token': {
    ...http('GET', '/api/token'),
    cells: cells({ anonymous: '200', key: '200', signedIn: 'own' }),
  },
  'GET /api/logs.csv': { ...http('GET', '/api/logs.csv'), cells: forStatus('403', { admin: '200' }) },
  'POST /api/patients.csv': {
    ...http('POST', '/api/patients.csv', JSON_BODY),
    cells: forStatus('403', { staff: '200', registrar: '200', reviewer: '200', admin: '200' }),
  },
  'POST /api/institutions.csv': {
    ...http('POST', '/api/institutions.csv', JSON_BODY),
    cells: forStatus('403', { staff: '200', registrar: '200', reviewer: '200', admin: '200' }),
  },
  'POST /api/uploads.csv': {
    ...http('POST', '/api/uploads.csv', JSON_BODY),
    cells: forStatus('403', { reviewer: '200', admin: '200' }),
    without: { 'admin::review-files': { reviewer: '403', admin: '403' } },
  },
  'POST /api/deliveries.csv': {
    ...http('POST', '/api/deliveries.csv', JSON_BODY),
    cells: forStatus('403', { reviewer: '400', admin: '400' }),
    without: {
      'admin::review-files': { reviewer: '403', admin: '403' },
      'patient::files': { reviewer: '403', admin: '403' },
    },
  },
  'POST /api/patient-records/:name{.+\\.zip}': {
    ...http('POST', '/api/patient-records/:id.zip'),
    cells: forStatus('403', { admin: '404' }),
    without: { 'patient::files': { admin: '403' } },
  },
  'GET /api/incidents/:id/report.pdf': {
    ...http('GET', '/api/incidents/:id/report.pdf'),
    cells: forStatus('403', { reviewer: '404', admin: '404' }),
    without: { 'admin::review-files': { reviewer: '403' } },
  },
  'GET /api/operations/:id/exceptions.csv': {
    ...http('GET', '/api/operations/:id/exceptions.csv'),
    cells: forStatus('404'),
  },
  // Only integrations, which have no session, may send here.
  'POST /api/intake': { ...http('POST', '/api/intake', { body: 'x' }), cells: status('401') },
  ...Object.fromEntries(
    ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].flatMap((method) =>
      ['', '/:id'].map((id) => [
        `${method} /api/intake/files${id}`,
        {
          ...http(method, `/api/intake/files${id}`),
          cells: status(method === 'OPTIONS' ? '204' : '401'),
        },
      ]),
    ),
  ),
  'POST /api/patient-imports': {
    ...http('POST', '/api/patient-imports', { body: 'x' }),
    cells: forStatus('403', { staff: '400', registrar: '400', reviewer: '400', admin: '400' }),
  },
  'GET /api/patient-imports/:id/refused.csv': {
    ...http('GET', '/api/patient-imports/:id/refused.csv'),
    cells: forStatus('403', { staff: '404', registrar: '404', reviewer: '404', admin: '404' }),
  },
  'GET /api/site': { ...http('GET', '/api/site'), cells: status('200') },
  'POST /api/page-errors': { ...http('POST', '/api/page-errors', JSON_BODY), cells: status('400') },
  'POST /api/site-images/:kind': {
    ...http('POST', '/api/site-images/necunoscut', { body: 'x' }),
    cells: forStatus('403', { admin: '404' }),
  },
  'GET /site-images/:key': { ...http('GET', '/site-images/necunoscut'), cells: status('404') },
  'GET /.well-known/jwks.json': { ...http('GET', '/.well-known/jwks.json'), cells: status('200') },
  'POST /graphql': {
    ...http('POST', '/graphql', { ...JSON_BODY, body: '{"query":"{ publicSite { name } }"}' }),
    cells: forStatus('200', { key: '200' }),
  },

  'OPTIONS /files': { ...http('OPTIONS', '/files'), cells: status('204') },
  'POST /files': {
    ...http('POST', '/files', { headers: { 'upload-length': '5' } }),
    of: 'upload',
    cells: forStatus('404', {
      registrar: 'own.draft; 409: own.wait',
      reviewer: 'own.draft; 409: own.wait',
      admin: 'own.draft; 409: own.wait',
    }),
    without: { 'patient::files': { registrar: '404', reviewer: '404', admin: '404' } },
  },
  'GET /files': { ...http('GET', '/files'), cells: status('404') },
  'HEAD /files': { ...http('HEAD', '/files'), cells: status('404') },
  'PUT /files': { ...http('PUT', '/files'), cells: forStatus('404') },
  'PATCH /files': { ...http('PATCH', '/files'), cells: forStatus('404') },
  'DELETE /files': { ...http('DELETE', '/files'), cells: forStatus('404') },
  'OPTIONS /files/:id{.+}': { ...http('OPTIONS', '/files/:id'), cells: status('204') },
  'POST /files/:id{.+}': { ...http('POST', '/files/:id'), of: 'transfer', cells: forStatus('404') },
  'GET /files/:id{.+}': { ...http('GET', '/files/:id'), of: 'transfer', cells: status('404') },
  'HEAD /files/:id{.+}': { ...http('HEAD', '/files/:id'), of: 'transfer', ...ownTransfer },
  'PUT /files/:id{.+}': { ...http('PUT', '/files/:id'), of: 'transfer', cells: forStatus('404') },
  'PATCH /files/:id{.+}': {
    ...http('PATCH', '/files/:id', { headers: { ...OCTETS, 'upload-offset': '3' }, body: 'x' }),
    of: 'transfer',
    passes: '409',
    ...ownTransfer,
  },
  'DELETE /files/:id{.+}': {
    ...http('DELETE', '/files/:id'),
    of: 'transfer',
    undo: 'transfer',
    ...ownTransfer,
  },
  'GET /files/:id': { ...http('GET', '/files/:id'), of: 'file', ...readFiles },
  'GET /files/:id/check': { ...http('GET', '/files/:id/check'), of: 'file', ...readFiles },
  'GET /files/:id/preview': { ...http('GET', '/files/:id/preview'), of: 'file', ...readFiles },
  'GET /files/:id/thumbnail': { ...http('GET', '/files/:id/thumbnail'), of: 'file', ...readThumbnails },
  'GET /files/operations/:id': { ...http('GET', '/files/operations/:id'), cells: forStatus('404') },
  'GET /files/operations/:id/check': {
    ...http('GET', '/files/operations/:id/check'),
    cells: forStatus('404'),
  },
  'GET /files/results/:ids': { ...http('GET', '/files/results/:id'), of: 'upload', ...readResults },
  'GET /files/results/:ids/check': {
    ...http('GET', '/files/results/:id/check'),
    of: 'upload',
    ...readResults,
  },
  'GET /files/zip/:id': { ...http('GET', '/files/zip/:id'), of: 'upload', ...readArchives },
  'GET /files/zip/:id/check': { ...http('GET', '/files/zip/:id/check'), of: 'upload', ...readArchives },

  // An address of no screen, which answers alike with and without a build of the pages.
  'GET /*': { ...http('GET', '/necunoscut'), cells: status('404') },
  'ALL /*': { ...http('PUT', '/patients'), cells: status('404') },
}
