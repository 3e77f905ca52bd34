import { classNames } from '../base/class-names.ts'

/**
 * The product's logo: a folder that is also the letter D. The file web/public/favicon.svg has the same
 * drawing.
 */
export function LogoMark({
  size = 32,
  className,
}: {
  size?: number | undefined
  className?: string | undefined
}) {
  return (
    <svg
      viewBox="0 0 32 32"
      width={size}
      height={size}
      aria-hidden="true"
      className={classNames('shrink-0', className)}
    >
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M8 10.5A2.5 2.5 0 0 1 10.5 8h3.2c.7 0 1.3.3 1.8.8l1.2 1.2H17.5A6.5 6.5 0 0 1 24 16.5v1A6.5 6.5 0 0 1 17.5 24h-7A2.5 2.5 0 0 1 8 21.5z"
        className="fill-on-accent"
      />
      <path d="M12 15.5h6M12 19h4" className="stroke-accent" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}

export const productName = 'Dosar'

/** The product's logo with its name. */
export function Wordmark({ className }: { className?: string | undefined }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-2.5 text-xl font-semibold tracking-tight',
        className,
      )}
    >
      <LogoMark />
      {productName}
    </span>
  )
}
