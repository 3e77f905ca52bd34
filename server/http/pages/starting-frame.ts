import { PLACES } from '../../../shared/access/places.ts'
import type { Screen } from '../../../shared/access/site-map.ts'
import type { PublicSite } from '../../../shared/site/site-settings.ts'
import { escapeHtml } from './escape-html.ts'

/** The layouts of the screens behind the sign-in: at most as wide as a record, the whole width, or that of institutions. */
const LAYOUTS: Readonly<Partial<Record<Screen, 'record' | 'wide' | 'institution'>>> = {
  '/dashboard': 'wide',
  '/uploads': 'wide',
  '/uploads/$uploadId': 'wide',
  '/patients': 'record',
  '/patients/$patientId': 'record',
  '/institutions': 'record',
  '/institutions/$institutionId': 'record',
  '/bulk': 'record',
  '/incidents/$incidentId': 'record',
  '/logs': 'record',
  '/admin': 'record',
  '/institution': 'institution',
}

const block = (classes: string) => `<span class="block rounded-sm bg-pressed ${classes}"></span>`
const repeat = (count: number, html: string) => html.repeat(count)

/** The place of search, bell and menu. */
const BUTTONS = `<span class="flex shrink-0 items-center gap-1">${repeat(3, '<span class="hit-square"></span>')}</span>`

/** The lines of a screen whose data is not there yet. */
const LINES = `<div class="grid gap-5">${block('h-10 w-full sm:max-w-md')}${repeat(8, block('h-5 w-full'))}</div>`

/**
 * Returns the frame of a screen as it looks before the scripts have loaded: organisation, places of the navigation, heading,
 * lines. Its classes are those of `web/layouts/`, so that nothing moves when the application shows the same frame;
 * `web/styles/base.css` hides it at that moment. Nothing in it is read aloud or focused.
 */
export function startingFrame(screen: Screen, site: PublicSite): string {
  const layout = LAYOUTS[screen]
  if (!layout) return ''
  const title = layout === 'institution' ? undefined : PLACES.find(({ to }) => to === screen)?.title
  const heading = title
    ? `<p class="mb-6 py-1 text-2xl font-semibold tracking-tight">${escapeHtml(title)}</p>`
    : `<div class="mb-6 flex h-10 items-center">${block('h-6 w-56')}</div>`
  const frame =
    layout === 'institution'
      ? institutionFrame(site, heading)
      : staffFrame(site, heading, layout === 'wide' ? '' : 'mx-auto w-full max-w-7xl')
  return `<div id="starting" aria-hidden="true" inert class="min-h-dvh print:hidden">${frame}</div>`
}

function staffFrame(site: PublicSite, heading: string, width: string): string {
  const places = repeat(6, `<li class="hit-area flex items-center px-2.5">${block('h-5 w-full')}</li>`)
  return (
    '<div class="lg:grid lg:grid-cols-[4.25rem_minmax(0,1fr)] xl:grid-cols-[16rem_minmax(0,1fr)]">' +
    `<div class="flex h-14 items-center justify-between gap-3 border-b border-line bg-canvas px-4 lg:hidden">${brandMark(site)}${BUTTONS}</div>` +
    '<div class="sticky top-0 hidden h-dvh flex-col gap-4 border-r border-line bg-sunken p-3 lg:flex">' +
    `<div class="flex min-h-12 items-center justify-between gap-2 px-1.5 lg:max-xl:flex-col lg:max-xl:px-0 xl:pl-2.5">${brandMark(site, 'lg:max-xl:sr-only')}<span class="hit-square"></span></div>` +
    '<div class="hit-area rounded-md border border-line-strong/60 bg-surface"></div>' +
    `<div class="-mx-1 min-h-0 flex-1 px-1 py-1"><ul class="grid gap-0.5">${places}</ul></div>` +
    '</div>' +
    `<div class="min-w-0"><div class="min-w-0 px-4 pt-4 pb-8 sm:px-6 lg:px-8 lg:pt-6 ${width}">${heading}${LINES}</div></div>` +
    '</div>' +
    '<div class="fixed inset-x-0 bottom-0 min-h-14 border-t border-line bg-canvas pb-[env(safe-area-inset-bottom)] lg:hidden"></div>'
  )
}

const institutionFrame = (site: PublicSite, heading: string): string =>
  `<div class="border-b border-line bg-sunken"><div class="mx-auto flex h-16 max-w-6xl items-center justify-between gap-4 px-4 sm:px-6">${brandMark(site)}${BUTTONS}</div></div>` +
  `<div class="mx-auto w-full max-w-6xl px-4 pt-5 pb-10 sm:px-6 sm:pt-7">${heading}${LINES}</div>`

/** As `web/layouts/brand-mark.tsx`, without the drawing of the product's logo. */
function brandMark({ name, logo_navigation, logo_navigation_width }: PublicSite, nameClass = ''): string {
  if (logo_navigation) {
    const width = logo_navigation_width ? ` width="${logo_navigation_width}"` : ''
    return `<img src="${escapeHtml(logo_navigation)}" alt=""${width} class="max-h-9 max-w-full object-contain object-left">`
  }
  return (
    '<span class="flex min-w-0 items-center gap-2.5"><span class="block size-7.5 shrink-0 rounded-lg bg-accent"></span>' +
    `<span class="line-clamp-2 text-sm leading-tight font-semibold lg:line-clamp-3 ${nameClass}">${escapeHtml(name)}</span></span>`
  )
}
