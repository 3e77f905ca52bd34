import type { Contestant, ReadResult, Window } from './reads.ts'
import type { Results } from './results.ts'
import type { Table } from './table.ts'
import { RECEIVERS, type Receiver, type UploadResult } from './uploads.ts'

/** Returns the median; of an even number the lower of the two. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0

/** Formats a number with three significant digits. */
export const figure = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)

export function toMarkdown({ title, columns, rows, notes }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const body = [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n')
  return [`### ${title}`, body, ...notes].join('\n\n')
}

const NAMES: Record<Contestant, string> = {
  floor: 'floor',
  postgraphile: 'PostGraphile 5',
  product: 'product',
  unaudited: 'product, no audit',
}

/** Returns the medians of one column, and the median of each round's ratio to the floor of that round. */
const ratioTo = (floor: readonly Window[], windows: readonly Window[], key: keyof Window): number[] =>
  windows.map((window, round) => window[key] / floor[round]![key])

/** Returns the median ratio to the floor, which the goals use. */
export const ratioOf = ({ rounds }: ReadResult, who: Contestant, key: keyof Window): number =>
  median(ratioTo(rounds.floor, rounds[who], key))

export function readsTable(results: readonly ReadResult[], title: string): Table {
  const keys = ['perSecond', 'p50', 'p99', 'serverCpu', 'databaseCpu'] as const
  return {
    title,
    columns: [
      'question',
      'server',
      ...['req/s', 'p50 ms', 'p99 ms', 'server CPU ms', 'db CPU ms'].flatMap((name) => [name, '×']),
      'RSS MiB',
      'peak',
      'bytes',
    ],
    rows: results.flatMap((result) =>
      (Object.keys(NAMES) as Contestant[])
        .filter((who) => result.rounds[who].length > 0)
        .map((who) => {
          const windows = result.rounds[who]
          const middle = (key: keyof Window) => median(windows.map((window) => window[key]))
          const last = windows.at(-1)!
          return [
            who === 'floor' ? result.name : '',
            NAMES[who],
            ...keys.flatMap((key) => [figure(middle(key)), ratioCell(result, who, key)]),
            middle('memory').toFixed(0),
            Math.max(...windows.map(({ peak }) => peak)).toFixed(0),
            (last.bytes / last.count).toFixed(0),
          ]
        }),
    ),
    notes: [],
  }
}

/** Returns the median ratio, and for requests a second the range of the rounds. */
function ratioCell(result: ReadResult, who: Contestant, key: keyof Window): string {
  if (who === 'floor') return '1'
  const ratios = ratioTo(result.rounds.floor, result.rounds[who], key)
  if (key !== 'perSecond') return figure(median(ratios))
  return `**${figure(median(ratios))}** (${figure(Math.min(...ratios))}–${figure(Math.max(...ratios))})`
}

export function uploadsTable(results: readonly UploadResult[]): Table {
  return {
    title: 'Uploads',
    columns: [
      'files',
      'server',
      'MiB/s',
      '× copy',
      '× put',
      'files/s',
      'server CPU ms/file',
      'db CPU ms/file',
      'peak RSS MiB',
    ],
    rows: results.flatMap((result) =>
      RECEIVERS.map((receiver) => {
        const windows = result.rounds[receiver]
        const middle = (read: (window: (typeof windows)[number]) => number) =>
          figure(median(windows.map(read)))
        return [
          receiver === 'copy' ? result.name : '',
          receiver,
          middle(({ mib }) => mib),
          figure(sendRatio(result, receiver, 'copy')),
          figure(sendRatio(result, receiver, 'put')),
          middle(({ seconds }) => result.count / seconds),
          middle(({ serverCpu }) => serverCpu),
          middle(({ databaseCpu }) => databaseCpu),
          Math.max(...windows.map(({ peak }) => peak)).toFixed(0),
        ]
      }),
    ),
    notes: [],
  }
}

/** Returns the median of the rounds' ratios of bytes a second. */
const sendRatio = ({ rounds }: UploadResult, receiver: Receiver, to: Receiver): number =>
  median(rounds[receiver].map(({ mib }, round) => mib / rounds[to][round]!.mib))

/**
 * Returns each query's ratio to the floor at each size, and the ratio of the largest size to the smallest.
 */
export function growthTable(reads: Results['reads']): Table {
  const sizes = sizesOf(reads)
  const [smallest, largest] = [reads[sizes[0]!]!.results, reads[sizes.at(-1)!]!.results]
  const names = smallest.map(({ name }) => name).filter((name) => find(largest, name))
  return {
    title: 'Growth',
    columns: [
      'question',
      ...sizes.map((size) => `product × floor at ${size}`),
      `floor, ${sizes.at(-1)} : ${sizes[0]}`,
      `product, ${sizes.at(-1)} : ${sizes[0]}`,
    ],
    rows: names.map((name) => [
      name,
      ...sizes.map((size) => {
        const result = find(reads[size]!.results, name)
        return result ? figure(ratioOf(result, 'product', 'perSecond')) : ''
      }),
      ...(['floor', 'product'] as const).map((who) => figure(growthOf(smallest, largest, name, who))),
    ]),
    notes: [
      'The last two columns are the time of a request (1 : req/s) at the largest size to that at the smallest.',
    ],
  }
}

const sizesOf = (reads: Results['reads']): string[] =>
  Object.keys(reads).sort((a, b) => Number(a) - Number(b))
const find = (results: readonly ReadResult[], name: string) => results.find((result) => result.name === name)

function growthOf(
  smallest: readonly ReadResult[],
  largest: readonly ReadResult[],
  name: string,
  who: Contestant,
): number {
  const rate = (results: readonly ReadResult[]) =>
    median(find(results, name)!.rounds[who].map(({ perSecond }) => perSecond))
  return rate(smallest) / rate(largest)
}

/** Returns the goals of the product, and whether they are met. */
export function goalsTable({ reads, uploads }: Results): Table {
  const rows: string[][] = []
  const judge = (goal: string, wanted: number, measured: number, atMost = false) => {
    const met = atMost ? measured <= wanted : measured >= wanted
    rows.push([goal, `${atMost ? '≤' : '≥'} ${wanted}`, figure(measured), met ? 'yes' : '**no**'])
  }
  const sizes = sizesOf(reads)
  const largest = reads[sizes.at(-1) ?? '']?.results ?? []
  for (const [name, wanted] of GOALS) {
    const result = find(largest, name)
    if (result)
      judge(
        `${name}, ${sizes.at(-1)} patients: req/s × floor`,
        wanted,
        ratioOf(result, 'product', 'perSecond'),
      )
  }
  const smallest = reads[sizes[0] ?? '']?.results ?? []
  for (const { name } of largest.filter(({ name }) => name.startsWith('search') && find(smallest, name))) {
    if (sizes.length > 1)
      judge(
        `${name}: ${sizes.at(-1)} patients : ${sizes[0]}`,
        1.5,
        growthOf(smallest, largest, name, 'product'),
        true,
      )
  }
  for (const result of uploads?.results ?? []) {
    const wanted = result.count === 1 ? 0.95 : 0.7
    judge(`${result.name}: bytes/s × put, durable`, wanted, sendRatio(result, 'product', 'put, durable'))
    judge(
      `${result.name}: peak RSS, MiB`,
      200,
      Math.max(...result.rounds.product.map(({ peak }) => peak)),
      true,
    )
  }
  return { title: 'Goals', columns: ['goal', 'wanted', 'measured', 'met'], rows, notes: [] }
}

const GOALS = [
  ['newest 50 patients', 0.6],
  ['a deep page', 0.6],
  ["a patient's page", 0.55],
  ['search, a frequent pair', 0.8],
  ['search, 200 pairs', 0.8],
  ['the review queue', 0.65],
  ["an institution's inbox", 0.65],
] as const
