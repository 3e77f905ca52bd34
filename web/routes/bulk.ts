import { createRoute } from '@tanstack/react-router'
import { guardRoute } from './guard.ts'
import { adminLayout } from './layouts.ts'
import { lazyScreen } from './lazy-screen.ts'

const BulkScreen = lazyScreen(() => import('../features/bulk/bulk-screen.tsx'), 'BulkScreen')

export const bulkRoute = createRoute({
  getParentRoute: () => adminLayout,
  path: '/bulk',
  beforeLoad: guardRoute('admin'),
  component: BulkScreen,
})
