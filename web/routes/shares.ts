import { createRoute } from '@tanstack/react-router'
import { guardRoute } from './guard.ts'
import { lazyScreen } from './lazy-screen.ts'
import { rootRoute } from './root.tsx'

const ShareCodeScreen = lazyScreen(
  () => import('../features/shared-results/share-code-screen.tsx'),
  'ShareCodeScreen',
)
const ShareScreen = lazyScreen(() => import('../features/shared-results/share-screen.tsx'), 'ShareScreen')

export const shareCodeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/s',
  beforeLoad: guardRoute('public'),
  component: ShareCodeScreen,
})

export const shareRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/s/$token',
  beforeLoad: guardRoute('public'),
  component: ShareScreen,
})
