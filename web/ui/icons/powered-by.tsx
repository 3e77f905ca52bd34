import { productName } from './logo.tsx'

/** What made the page; only where the setting `branding` is on. */
export function PoweredBy() {
  return <p className="text-center text-sm text-muted print:hidden">Realizat cu {productName}</p>
}
