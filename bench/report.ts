import type { Contestant, ReadResult, Window } from './reads.ts'

export type Table = { title: string; columns: string[]; rows: string[][]; notes: string[] }

/** The one in the middle; of an even number the lower of the two. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0

/** Three figures that say something. */
export const figure = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)

export function toMarkdown({ title, columns, rows, notes }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const body = [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n')
  return [`### ${title}`, body, ...notes].join('\n\n')
}

const NAMES: Record<Contestant, string> = {
  floor: 'floor',
  product: 'product',
  unaudited: 'product, no journal',
}

/** Of one column: its medians, and of each round the ratio to the floor of that round, of which the middle one. */
const ratioTo = (floor: readonly Window[], windows: readonly Window[], key: keyof Window): number[] =>
  windows.map((window, round) => window[key] / floor[round]![key])

/** The middle ratio to the floor, by which goals are judged. */
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
      (Object.keys(NAMES) as Contestant[]).map((who) => {
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

/** The middle ratio, and for requests a second how far the rounds lie apart. */
function ratioCell(result: ReadResult, who: Contestant, key: keyof Window): string {
  if (who === 'floor') return '1'
  const ratios = ratioTo(result.rounds.floor, result.rounds[who], key)
  if (key !== 'perSecond') return figure(median(ratios))
  return `**${figure(median(ratios))}** (${figure(Math.min(...ratios))}–${figure(Math.max(...ratios))})`
}
