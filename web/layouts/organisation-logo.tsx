import { LogoMark, productName, Wordmark } from '../ui/icons/logo.tsx'
import type { Brand } from './navigation.ts'

/** The organisation's logo, or its name beside the product's logo, for pages without navigation. */
export function OrganisationLogo({ brand: { name, logoUrl, isBranded } }: { brand: Brand }) {
  if (logoUrl) return <img src={logoUrl} alt={name} className="max-h-24 max-w-full object-contain" />
  if (name === productName) return <Wordmark className="text-2xl" />
  return (
    <p className="flex max-w-full items-center justify-center gap-3 text-2xl font-semibold tracking-tight">
      {isBranded && <LogoMark size={36} />}
      <span className="min-w-0 break-words text-balance">{name}</span>
    </p>
  )
}
