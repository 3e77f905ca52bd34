import { LIMITS } from '../../shared/limits.ts'
import { dayBefore, todayInRomania } from '../../shared/romania/day.ts'
import type { TestClient } from '../client.ts'

type Variables = Record<string, unknown>
type Group = { key: string | null; released: number; steps: { step: string; late: number }[] }

const STEPS = 'steps { step late }'
const FIGURES = `query ($days: Int!) {
  dashboard { waiting { state count } acceptedToday rejectedToday released unopened unopenedLong }
  turnaround(days: $days) { since released ${STEPS} byCategory { key released ${STEPS} } byInstitution { key released ${STEPS} } }
  workOfPeople(days: $days) { id filed accepted rejected } }`
const UNOPENED =
  'query ($days: Int, $olderThan: Int) { unopenedInstitutions(days: $days, olderThan: $olderThan) { count } }'
const UPLOADS = `query ($states: [UploadState!], $since: Date, $until: Date, $late: TurnaroundStep, $category: String,
  $institutionId: ID, $after: String) { list: uploads(states: $states, since: $since, until: $until, late: $late,
  category: $category, institutionId: $institutionId, first: 100, after: $after) { nodes { id } endCursor } }`
const LOG = `query ($action: String, $actorId: ID, $from: Date, $to: Date, $outcome: AuditOutcome, $after: String) { list: auditEvents(
  action: $action, actorId: $actorId, from: $from, to: $to, outcome: $outcome, first: 100, after: $after) { nodes { id } endCursor } }`

/**
 * Reads every figure of the dashboard as an administrator, and the whole list to which its link leads. Returns a line for each
 * figure: what it counts, the figure, and the length of the list.
 */
export async function compareFigures(admin: TestClient, days: number): Promise<[string, number, number][]> {
  const count = async (query: string, variables: Variables): Promise<number> => {
    let [found, after]: [number, string | null] = [0, null]
    do {
      const { list } = await admin.runQuery(query, { ...variables, after })
      found += list.nodes.length
      after = list.endCursor
    } while (after)
    return found
  }
  const { dashboard, turnaround, workOfPeople } = await admin.runQuery(FIGURES, { days })
  const today = todayInRomania()
  const compared: [string, number, number][] = []
  const compare = async (name: string, figure: number, query: string, variables: Variables) =>
    void compared.push([name, figure, await count(query, variables)])

  for (const { state, count: waiting } of dashboard.waiting)
    await compare(state, waiting, UPLOADS, { states: [state] })
  const ofMonth = { states: ['released'], since: dayBefore(today, LIMITS.dashboardDays - 1) }
  await compare('released', dashboard.released, UPLOADS, ofMonth)
  const unopened = async (variables: Variables): Promise<number> =>
    (await admin.runQuery(UNOPENED, variables)).unopenedInstitutions.reduce(
      (sum: number, institution: { count: number }) => sum + institution.count,
      0,
    )
  const ofDays = { days: LIMITS.dashboardDays }
  compared.push(['unopened', dashboard.unopened, await unopened(ofDays)])
  compared.push([
    'unopenedLong',
    dashboard.unopenedLong,
    await unopened({ ...ofDays, olderThan: LIMITS.alarmDays }),
  ])
  const ofToday = { from: today, to: today, outcome: 'ok' }
  await compare('acceptedToday', dashboard.acceptedToday, LOG, { action: 'upload.accept', ...ofToday })
  await compare('rejectedToday', dashboard.rejectedToday, LOG, { action: 'upload.reject', ...ofToday })

  const compareGroup = async (name: string, { released, steps }: Omit<Group, 'key'>, filter: Variables) => {
    const list = { states: ['released'], since: turnaround.since, ...filter }
    await compare(name, released, UPLOADS, list)
    for (const { step, late } of steps)
      await compare(`${name} ${step}`, late, UPLOADS, { ...list, late: step })
  }
  await compareGroup('all', turnaround, {})
  for (const group of turnaround.byCategory as Group[])
    if (group.key) await compareGroup(group.key, group, { category: group.key })
  for (const group of turnaround.byInstitution as Group[])
    if (group.key) await compareGroup(group.key, group, { institutionId: group.key })

  const period = { from: dayBefore(today, days - 1), to: today, outcome: 'ok' }
  for (const { id, ...person } of workOfPeople)
    for (const [field, action] of [
      ['filed', 'upload.submit'],
      ['accepted', 'upload.accept'],
      ['rejected', 'upload.reject'],
    ] as const)
      await compare(`${id} ${field}`, person[field], LOG, { ...period, action, actorId: id })
  return compared
}
