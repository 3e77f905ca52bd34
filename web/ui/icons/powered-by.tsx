import { productName } from './logo.tsx'

/** The product credit at the foot of a page; shown only if the setting `branding` is on. */
export function PoweredBy() {
  return <p className="text-center text-sm text-muted print:hidden">Realizat cu {productName}</p>
}
