import { createRoute } from '@tanstack/react-router'
import { BATCH_FILTERS } from '../../shared/uploads/batches.ts'
import { guardRoute } from './guard.ts'
import { adminLayout } from './layouts.ts'
import { lazyScreen } from './lazy-screen.ts'
import { defined, oneOf, text } from './search.ts'

const BulkScreen = lazyScreen(() => import('../features/bulk/bulk-screen.tsx'), 'BulkScreen')

export const bulkRoute = createRoute({
  getParentRoute: () => adminLayout,
  path: '/bulk',
  validateSearch: (search: Record<string, unknown>) =>
    defined({
      tab: oneOf(['pacienti', 'operatii'], search.tab),
      import: text(search.import),
      batch: text(search.batch),
      show: oneOf(BATCH_FILTERS, search.show),
    }),
  beforeLoad: guardRoute('admin'),
  component: BulkScreen,
})
