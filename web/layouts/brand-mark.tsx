import { LogoMark } from '../ui/icons/logo.tsx'
import type { Brand } from './navigation.ts'

/** The organisation's logo, or else the product's logo with the organisation's name. */
export function BrandMark({ brand }: { brand: Brand }) {
  if (brand.logoUrl) {
    return (
      <img
        src={brand.logoUrl}
        alt={brand.name}
        className="max-h-9 max-w-full object-contain object-left"
        {...(brand.logoWidth ? { width: brand.logoWidth } : {})}
      />
    )
  }
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <LogoMark size={30} />
      <span className="line-clamp-2 text-sm lg:line-clamp-3 leading-tight font-semibold">{brand.name}</span>
    </span>
  )
}
