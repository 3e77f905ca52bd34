const EYE = 'M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12zM15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0z'
const CIRCLE = 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z'

const ICON_PATHS = {
  info: `${CIRCLE}M12 11v5M12 8h.01`,
  error: `${CIRCLE}M9 9l6 6M15 9l-6 6`,
  eye: EYE,
  'eye-off': `${EYE}M4 3l16 18`,
  sun: 'M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5',
  moon: 'M20.5 14A8.5 8.5 0 1 1 10 3.5a7 7 0 0 0 10.5 10.5z',
  monitor: 'M4 4h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM8 20h8M12 16v4',
} as const
export type PlainIconName = keyof typeof ICON_PATHS

/** The few icons of pages that do not load the icon set. */
export function PlainIcon({ name, className }: { name: PlainIconName; className?: string | undefined }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={20}
      height={20}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={className}
    >
      <path d={ICON_PATHS[name]} />
    </svg>
  )
}
