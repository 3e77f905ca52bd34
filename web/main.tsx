import './styles/main.css'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { collectChunkErrors } from './builds/chunk-errors.ts'
import { router } from './router.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('the page has no #root')
collectChunkErrors()
createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
// From here on the application itself says what went wrong.
document.getElementById('no-start')?.remove()
