import { createRoute } from '@tanstack/react-router'
import { OLDER_THAN_DAYS, OPENING_FILTERS, RESULT_DAYS } from '../../shared/result-filters.ts'
import { guardRoute } from './guard.ts'
import { adminLayout } from './layouts.ts'
import { lazyScreen } from './lazy-screen.ts'
import { defined, oneOf, text } from './search.ts'

const InstitutionsPage = lazyScreen(() => import('./pages/institutions-page.tsx'), 'InstitutionsPage')
const InstitutionPage = lazyScreen(() => import('./pages/institution-page.tsx'), 'InstitutionPage')

export const institutionsRoute = createRoute({
  getParentRoute: () => adminLayout,
  path: '/institutions',
  validateSearch: (search: Record<string, unknown>) =>
    defined({
      q: text(search.q),
      tab: oneOf(['cereri', 'intrebari', 'nedeschise'], search.tab),
      request: text(search.request),
      days: oneOf(RESULT_DAYS, search.days),
      older: oneOf(OLDER_THAN_DAYS, search.older),
    }),
  beforeLoad: guardRoute('admin'),
  component: InstitutionsPage,
})

/** The tabs of an institution's page by their name in the address; without a name, the first tab is shown. */
const INSTITUTION_TABS = ['pacienti', 'rezultate'] as const

export const institutionDetailRoute = createRoute({
  getParentRoute: () => adminLayout,
  path: '/institutions/$institutionId',
  /** The tab and the filters of the results are in the address. */
  validateSearch: (search: Record<string, unknown>) =>
    defined({
      tab: oneOf(INSTITUTION_TABS, search.tab),
      q: text(search.q),
      days: oneOf(RESULT_DAYS, search.days),
      opening: oneOf(OPENING_FILTERS, search.opening),
    }),
  beforeLoad: guardRoute('admin'),
  component: InstitutionPage,
})
