import { counted, formatDate } from '../../../shared/romania/romanian.ts'
import { chartTicks, type DayCount, isMonday } from './chart.ts'

/** The chart's height and margins in px; its width is that of the card. */
const HEIGHT_PX = 180
const TOP_MARGIN_PX = 10
const BOTTOM_MARGIN_PX = 24
const BARS_HEIGHT_PX = HEIGHT_PX - TOP_MARGIN_PX - BOTTOM_MARGIN_PX
const uploads = (count: number) => counted(count, 'încărcare', 'încărcări')

/** The y coordinate of a number of uploads, in px. */
type Scale = (count: number) => number
type Days = readonly DayCount[]

/** A bar chart in plain SVG; a table below has the same numbers for users who cannot see or point. */
export function UploadsChart({ days }: { days: Days }) {
  if (days.every(({ count }) => count === 0)) {
    return <p className="text-sm text-muted">Nicio încărcare în ultimele {days.length} de zile.</p>
  }
  const highest = Math.max(...days.map(({ count }) => count))
  const total = days.reduce((sum, { count }) => sum + count, 0)
  const ticks = chartTicks(highest)
  const top = ticks.at(-1) ?? 1
  const y: Scale = (count) => TOP_MARGIN_PX + BARS_HEIGHT_PX * (1 - count / top)
  return (
    <figure className="grid gap-3">
      <div className="flex gap-2">
        <CountAxis ticks={ticks} y={y} />
        <svg
          role="img"
          aria-label={`În ultimele ${days.length} de zile: ${uploads(total)}, cel mult ${highest} într-o zi.`}
          height={HEIGHT_PX}
          className="w-full min-w-0 overflow-visible"
        >
          {ticks.map((tick) => (
            <line
              key={tick}
              x1="0"
              x2="100%"
              y1={y(tick)}
              y2={y(tick)}
              className={tick === 0 ? 'stroke-line-strong' : 'stroke-line'}
            />
          ))}
          <WeekLabels days={days} />
          <Bars days={days} y={y} />
        </svg>
      </div>
      <DaysTable days={days} />
    </figure>
  )
}

/** The numbers at the horizontal lines, in an SVG of their own because the chart's width is in percent. */
function CountAxis({ ticks, y }: { ticks: readonly number[]; y: Scale }) {
  const digits = String(ticks.at(-1) ?? 0).length
  return (
    <svg aria-hidden="true" width={digits * 8 + 4} height={HEIGHT_PX} className="shrink-0 fill-muted text-xs">
      {ticks.map((tick) => (
        <text key={tick} x="100%" y={y(tick)} textAnchor="end" dominantBaseline="central">
          {tick}
        </text>
      ))}
    </svg>
  )
}

/** A bar for each day; its tooltip opens over the whole height of the day's column. */
function Bars({ days, y }: { days: Days; y: Scale }) {
  const step = 100 / days.length
  return days.map(({ day, count }, index) => (
    <g key={day} className="group/bar">
      <rect
        x={`${index * step + step * 0.15}%`}
        width={`${step * 0.7}%`}
        y={y(count)}
        height={y(0) - y(count)}
        rx={2}
        className="fill-accent-mark group-hover/bar:fill-ink"
      />
      <rect
        x={`${index * step}%`}
        width={`${step}%`}
        y={TOP_MARGIN_PX}
        height={BARS_HEIGHT_PX}
        className="fill-transparent"
        data-tooltip-html={`<b>${uploads(count)}</b><br>${formatDate(day)}`}
      />
    </g>
  ))
}

/** A mark and the date at each Monday. */
function WeekLabels({ days }: { days: Days }) {
  const step = 100 / days.length
  return days.map(({ day }, index) =>
    isMonday(day) ? (
      <g key={day}>
        <line
          x1={`${index * step}%`}
          x2={`${index * step}%`}
          y1={TOP_MARGIN_PX}
          y2={HEIGHT_PX}
          className="stroke-line"
        />
        <text x={`${index * step}%`} dx={4} y={HEIGHT_PX - 4} className="fill-muted text-xs">
          {`lu ${formatDate(day).slice(0, 5)}`}
        </text>
      </g>
    ) : null,
  )
}

/** The numbers as a table, the last day first. */
function DaysTable({ days }: { days: Days }) {
  return (
    <details className="text-sm">
      <summary className="hit-area flex w-fit items-center rounded-md text-muted underline underline-offset-4 hover:text-ink">
        Cifrele pe zile
      </summary>
      <table className="mt-2 w-full max-w-xs">
        <caption className="sr-only">Încărcări pe zi</caption>
        <thead>
          <tr className="text-muted">
            <th scope="col" className="py-1 text-start font-medium">
              Ziua
            </th>
            <th scope="col" className="py-1 text-end font-medium">
              Încărcări
            </th>
          </tr>
        </thead>
        <tbody>
          {[...days].reverse().map(({ day, count }) => (
            <tr key={day} className="border-t border-line">
              <th scope="row" className="py-1 text-start font-normal">
                {formatDate(day)}
              </th>
              <td className="py-1 text-end tabular-nums">{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
