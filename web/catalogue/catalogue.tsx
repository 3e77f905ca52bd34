import { type ReactNode, Suspense, useEffect } from 'react'
import { Link } from 'react-aria-components'
import { counted } from '../../shared/romania/romanian.ts'
import { Icon } from '../ui/base/icon.tsx'
import { Spinner } from '../ui/base/loading.tsx'
import { useColourMode, useForcedColourMode } from '../ui/colour-mode/colour-mode.ts'
import { Notice } from '../ui/feedback/notice.tsx'
import { ToastHost } from '../ui/feedback/toast.tsx'
import { Wordmark } from '../ui/icons/logo.tsx'
import { GlobalTooltip } from '../ui/overlays/global-tooltip.tsx'
import { AriaProvider } from '../ui/provider/aria-provider.tsx'
import { UiProvider } from '../ui/provider/ui-provider.tsx'
import { useAddress, writeAddress } from './address.ts'
import { ComponentList } from './component-list.tsx'
import { ComponentPage, PhoneFrame } from './component-page.tsx'
import { type CatalogueComponent, catalogueComponents } from './components.ts'
import { Toolbar } from './toolbar.tsx'

/** Whether this page runs in the phone frame of the catalogue: only the component is shown. */
const isFramed = window.parent !== window

/** The catalogue of components, each in all of its states. */
export function Catalogue() {
  const { component: path, mode, accent } = useAddress()
  useForcedColourMode(mode)
  useEffect(() => {
    document.documentElement.dataset.accent = accent
  }, [accent])
  const component = catalogueComponents.find((each) => each.path === path)
  return (
    <UiProvider>
      <AriaProvider>
        {path === null ? (
          <FirstPage />
        ) : component ? (
          <ShownComponent component={component} />
        ) : (
          <UnknownComponent />
        )}
        <ToastHost />
        <GlobalTooltip />
      </AriaProvider>
    </UiProvider>
  )
}

/** The list beside the selected page; on a phone, only one of the two. */
function WithList({ isShown, children }: { isShown: boolean; children: ReactNode }) {
  const { accent } = useAddress()
  return (
    <div className="grid gap-6 p-4 md:grid-cols-[14rem_minmax(0,1fr)] md:gap-10 md:p-6">
      <div className="content-start gap-6 max-md:contents md:sticky md:grid md:top-6 md:max-h-[calc(100dvh-3rem)] md:overflow-y-auto md:p-0.5">
        <Link href={writeAddress({ accent })} className="hit-area flex items-center gap-1.5 rounded-md">
          {!isShown && <Icon name="chevron-left" size={18} className="md:hidden" />}
          <Wordmark />
        </Link>
        <ComponentList className={isShown ? 'max-md:order-last' : 'max-md:hidden'} />
      </div>
      <main className="grid min-w-0 content-start gap-6">{children}</main>
    </div>
  )
}

function FirstPage() {
  useEffect(() => {
    document.title = 'Catalog · Dosar'
  }, [])
  return (
    <WithList isShown>
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <h1 className="text-2xl font-semibold tracking-tight">Catalog</h1>
        <Toolbar />
      </header>
      <div className="grid max-w-prose gap-3">
        <p>
          {counted(catalogueComponents.length, 'piesă', 'piese')} din care este făcut produsul, fiecare în
          stările ei. Alege una din listă.
        </p>
        <p className="text-muted">
          Fiecare stare are adresa ei; cu <code>&amp;mode=dark</code> sau <code>&amp;mode=light</code> pagina
          impune modul de culoare. O piesă apare aici de îndată ce are un fișier <code>.stories.tsx</code>{' '}
          lângă ea.
        </p>
      </div>
    </WithList>
  )
}

function ShownComponent({ component }: { component: CatalogueComponent }) {
  const { state, isNarrow } = useAddress()
  if (state !== null || isFramed)
    return (
      <main className="grid content-start gap-6 p-4">
        <Suspense fallback={<Spinner />}>
          <ComponentPage component={component} tools={null} />
        </Suspense>
      </main>
    )
  const Page = isNarrow ? PhoneFrame : ComponentPage
  return (
    <WithList isShown={false}>
      <ForcedNotice />
      <Suspense fallback={<Spinner />}>
        <Page component={component} tools={<Toolbar />} />
      </Suspense>
    </WithList>
  )
}

function ForcedNotice() {
  const { forced, value } = useColourMode()
  if (!forced) return null
  return (
    <Notice tone="info">
      Pagina impune modul {value === 'dark' ? 'întunecat' : 'luminos'}. Ce alegi se vede la pagina următoare.
    </Notice>
  )
}

function UnknownComponent() {
  return (
    <main className="grid justify-items-start gap-3 p-6">
      <h1 className="text-2xl font-semibold tracking-tight">Piesa nu există</h1>
      <Link href="/" className="text-accent-ink underline">
        Toate piesele
      </Link>
    </main>
  )
}
