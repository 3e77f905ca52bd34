import '../styles/main.css'
import { createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { dropTyping } from '../ui/options/typed-ahead.ts'
import { Catalogue } from './catalogue.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('the page has no #root')
const router = createRouter({ routeTree: createRootRoute({ component: Catalogue }) })
router.subscribe('onRendered', dropTyping)
createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router as never} />
  </StrictMode>,
)
