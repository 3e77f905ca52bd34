import { classNames } from '../ui/base/class-names.ts'
import { LogoMark } from '../ui/icons/logo.tsx'
import type { Brand } from './navigation.ts'

/** The organisation's logo, or else the product's logo with the organisation's name. */
export function BrandMark({ brand, nameClass }: { brand: Brand; nameClass?: string }) {
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
      <span
        className={classNames('line-clamp-2 text-sm leading-tight font-semibold lg:line-clamp-3', nameClass)}
      >
        {brand.name}
      </span>
    </span>
  )
}
