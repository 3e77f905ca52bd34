import './styles/main.css'
import { RouterProvider } from '@tanstack/react-router'
import { type ReactNode, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { collectChunkErrors } from './builds/chunk-errors.ts'
import { UnhandledErrorPage } from './page-errors/unhandled-error-page.tsx'
import { collectUnhandledErrors } from './page-errors/unhandled-errors.ts'
import { router } from './router.tsx'
import { SiteMark } from './routes/error-page.tsx'
import { loadSession } from './session/session.ts'
import { lazyNamed } from './ui/base/lazy.ts'
import { dropTyping } from './ui/options/typed-ahead.ts'
import { GlobalTooltip } from './ui/overlays/global-tooltip.tsx'
import { ServerErrorPage } from './ui/page/error-page.tsx'

// Loaded only for such a page. If it does not load, the server is as good as unreachable.
const DeniedFilePage = lazyNamed(
  () => import('./ui/page/denied-file-page.tsx').catch(() => ({ DeniedFilePage: UnreachablePage })),
  'DeniedFilePage',
)

const UnreachablePage = ({ mark, at }: { mark: ReactNode; at: Date }) => (
  <ServerErrorPage mark={mark} isUnreachable at={at} />
)

const root = document.getElementById('root')
if (!root) throw new Error('the page has no #root')
collectChunkErrors()
collectUnhandledErrors()
// No screen is shown before the signed-in user is known. If this request fails, the router repeats it and
// shows the failure.
loadSession().catch(() => undefined)
// Written by the server (server/http/pages/pages.ts) when the address of a file is opened and access is
// denied.
const deniedFile = document.querySelector<HTMLMetaElement>('meta[name=denied-file]')
// A screen with a field for text typed while it loaded has taken that text by the time it is rendered. One that replaces the
// frame of the server is not rendered yet: `web/routes/frames.tsx` does it.
router.subscribe('onRendered', () => {
  if (!document.getElementById('starting')) dropTyping()
})
if (deniedFile) dropTyping()
createRoot(root).render(
  <StrictMode>
    {deniedFile ? (
      <Suspense>
        <DeniedFilePage mark={<SiteMark />} status={Number(deniedFile.content)} at={new Date()} />
      </Suspense>
    ) : (
      <>
        <RouterProvider router={router} />
        <UnhandledErrorPage mark={<SiteMark />} />
      </>
    )}
    <GlobalTooltip />
  </StrictMode>,
)
// From now on the application itself shows what went wrong.
document.getElementById('no-start')?.remove()
