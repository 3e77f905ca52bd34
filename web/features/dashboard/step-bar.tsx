const HEIGHT_PX = 22
const BAR_PX = 10

/** A bar to the median, continued by an outline to the ninetieth percentile, and a line at the target; the text beside it says the same. */
export function StepBar({
  median,
  ninetieth,
  target,
}: {
  median: number
  ninetieth: number
  target: number
}) {
  const most = Math.max(ninetieth, target, 1) * 1.05
  const x = (minutes: number) => `${(minutes / most) * 100}%`
  const y = (HEIGHT_PX - BAR_PX) / 2
  return (
    <svg aria-hidden="true" height={HEIGHT_PX} className="w-full">
      <rect x="0" y={y} width="100%" height={BAR_PX} rx={3} className="fill-sunken" />
      <rect
        x="0"
        y={y + 0.5}
        width={x(ninetieth)}
        height={BAR_PX - 1}
        rx={3}
        className="fill-transparent stroke-line-strong"
      />
      <rect x="0" y={y} width={x(median)} height={BAR_PX} rx={3} className="fill-accent-mark" />
      <line x1={x(target)} x2={x(target)} y1="0" y2={HEIGHT_PX} strokeWidth={2} className="stroke-ink" />
    </svg>
  )
}
