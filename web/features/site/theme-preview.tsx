import { BrandMark } from '../../layouts/brand-mark.tsx'
import { OrganisationLogo } from '../../layouts/organisation-logo.tsx'
import { buttonClass } from '../../ui/base/button-styles.ts'
import { Icon } from '../../ui/base/icon.tsx'
import { productName } from '../../ui/icons/logo.tsx'
import { PoweredBy } from '../../ui/icons/powered-by.tsx'
import type { SettingsValues } from './settings-values.ts'

const PLACES = [
  { icon: 'file-check', label: 'Verificare' },
  { icon: 'users', label: 'Pacienți' },
] as const

/** Previews the sign-in page, the navigation and the browser's tab with the values of the form. */
export function ThemePreview({ values }: { values: Partial<SettingsValues> }) {
  const { name = '', title = '', logo, logo_navigation, logo_navigation_width, favicon, branding } = values
  const width = Number(logo_navigation_width)
  return (
    <figure className="grid min-w-0 gap-3 sm:col-span-2" aria-label="Previzualizare">
      <figcaption className="text-sm font-medium">Previzualizare</figcaption>
      <div inert className="grid gap-4 lg:grid-cols-2">
        <div className="grid justify-items-center gap-4 rounded-lg border border-line bg-sunken px-4 py-6">
          <OrganisationLogo brand={{ name, logoUrl: logo, isBranded: branding }} />
          <div className="grid w-full max-w-64 gap-2.5 rounded-xl border border-line bg-surface p-4">
            <span className="font-semibold">Autentificare</span>
            <span className="h-8 rounded-md border border-line-strong" />
            <span className="h-8 rounded-md border border-line-strong" />
            <span className={buttonClass({ variant: 'primary' })}>Autentificare</span>
          </div>
          {branding && name !== productName && <PoweredBy />}
        </div>
        <div className="grid content-start gap-4">
          <div className="flex w-fit max-w-full items-center gap-2 rounded-t-lg border border-b-0 border-line bg-sunken px-3 py-2 text-sm">
            <img src={favicon || '/favicon.svg'} alt="" className="size-4" />
            <span className="truncate">{title}</span>
          </div>
          <div className="grid max-w-64 content-start gap-3 rounded-lg border border-line bg-sunken p-3">
            <div className="flex min-h-12 items-center px-2.5">
              <BrandMark brand={{ name, logoUrl: logo_navigation, logoWidth: width || null }} />
            </div>
            {PLACES.map(({ icon, label }, index) => (
              <span
                key={label}
                className={`flex items-center gap-3 rounded-md px-2.5 py-2 text-sm font-medium ${index === 0 ? 'bg-accent-soft' : 'text-muted'}`}
              >
                <Icon name={icon} className={index === 0 ? 'text-accent-ink' : ''} />
                {label}
              </span>
            ))}
          </div>
        </div>
      </div>
    </figure>
  )
}
