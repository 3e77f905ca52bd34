import './styles/main.css'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { collectChunkErrors } from './builds/chunk-errors.ts'
import { router } from './router.tsx'
import { SiteMark } from './routes/error-page.tsx'
import { loadSession } from './session/session.ts'
import { dropTyping } from './ui/options/typed-ahead.ts'
import { RefusedFilePage } from './ui/page/error-page.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('the page has no #root')
collectChunkErrors()
// No screen stands before it is known who looks. Where nobody says, the router asks again, and shows that.
loadSession().catch(() => undefined)
// Written by the server (server/http/pages/pages.ts) where a person has opened the address of a file that is refused.
const refusedFile = document.querySelector<HTMLMetaElement>('meta[name=refused-file]')
// A screen that has a field for what was typed meanwhile has taken it by then.
router.subscribe('onRendered', dropTyping)
if (refusedFile) dropTyping()
createRoot(root).render(
  <StrictMode>
    {refusedFile ? (
      <RefusedFilePage mark={<SiteMark />} status={Number(refusedFile.content)} at={new Date()} />
    ) : (
      <RouterProvider router={router} />
    )}
  </StrictMode>,
)
// From here on the application itself says what went wrong.
document.getElementById('no-start')?.remove()
