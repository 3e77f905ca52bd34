import { productName, Wordmark } from '../ui/logo.tsx'
import type { Brand } from './navigation.ts'

/** Whose house it is, on a page with nothing else on it: the organisation's logo, or its name under the product's mark. */
export function HouseMark({ brand: { name, logoUrl, isBranded = true } }: { brand: Brand }) {
  if (logoUrl) return <img src={logoUrl} alt={name} className="max-h-24 max-w-full object-contain" />
  const isOwnName = name === productName
  return (
    <div className="grid max-w-full justify-items-center gap-1.5 text-center">
      {(isBranded || isOwnName) && <Wordmark className="text-2xl" />}
      {!isOwnName && (
        <p
          className={
            isBranded
              ? 'break-words text-balance text-muted'
              : 'text-2xl font-semibold break-words text-balance tracking-tight'
          }
        >
          {name}
        </p>
      )}
    </div>
  )
}
