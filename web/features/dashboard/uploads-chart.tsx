import { counted, formatDate } from '../../../shared/romania/romanian.ts'
import { chartTicks, type DayCount } from './chart.ts'

/** The chart's height and margins in px; its width is that of the card. */
const HEIGHT_PX = 180
const TOP_MARGIN_PX = 10
const BOTTOM_MARGIN_PX = 24
const uploads = (count: number) => counted(count, 'încărcare', 'încărcări')

/** A bar chart in plain SVG; a table below has the same numbers for users who cannot see or point. */
export function UploadsChart({ days }: { days: readonly DayCount[] }) {
  if (days.every(({ count }) => count === 0)) {
    return <p className="text-sm text-muted">Nicio încărcare în ultimele {days.length} de zile.</p>
  }
  const highest = Math.max(...days.map(({ count }) => count))
  const total = days.reduce((sum, { count }) => sum + count, 0)
  const ticks = chartTicks(highest)
  const top = ticks.at(-1) ?? 1
  const y = (count: number) =>
    TOP_MARGIN_PX + (HEIGHT_PX - TOP_MARGIN_PX - BOTTOM_MARGIN_PX) * (1 - count / top)
  const step = 100 / days.length
  return (
    <figure className="grid gap-3">
      <div className="flex gap-2">
        <svg
          aria-hidden="true"
          width={String(top).length * 8 + 4}
          height={HEIGHT_PX}
          className="shrink-0 fill-muted text-xs"
        >
          {ticks.map((tick) => (
            <text key={tick} x="100%" y={y(tick)} textAnchor="end" dominantBaseline="central">
              {tick}
            </text>
          ))}
        </svg>
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
          {days.map(({ day, count }, index) => (
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
                height={HEIGHT_PX - TOP_MARGIN_PX - BOTTOM_MARGIN_PX}
                className="fill-transparent"
                data-tooltip={`${formatDate(day)}: ${uploads(count)}`}
              />
            </g>
          ))}
          {days.map(
            ({ day }, index) =>
              (days.length - 1 - index) % 7 === 0 && (
                <text
                  key={day}
                  x={`${(index + 0.5) * step}%`}
                  y={HEIGHT_PX - 4}
                  textAnchor={index === days.length - 1 ? 'end' : 'middle'}
                  className="fill-muted text-xs"
                >
                  {formatDate(day).slice(0, 5)}
                </text>
              ),
          )}
        </svg>
      </div>
      <details className="text-sm">
        <summary className="hit-area flex w-fit items-center rounded-md text-muted underline underline-offset-4 hover:text-ink">
          Cifrele pe zile
        </summary>
        <table className="w-full max-w-xs">
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
    </figure>
  )
}
