import { createRoute } from '@tanstack/react-router'
import { TURNAROUND_STEPS, UPLOAD_SENDERS, UPLOAD_STATES } from '../../shared/uploads/upload-state-list.ts'
import { guardRoute } from './guard.ts'
import { defaultLayout } from './layouts.ts'
import { lazyScreen } from './lazy-screen.ts'
import { day, defined, flag, oneOf, someOf, text } from './search.ts'

const QueueScreen = lazyScreen(() => import('../features/queue/queue-screen.tsx'), 'QueueScreen')
const UploadScreen = lazyScreen(() => import('../features/reviews/upload-screen.tsx'), 'UploadScreen')

export const uploadsRoute = createRoute({
  getParentRoute: () => defaultLayout,
  path: '/uploads',
  validateSearch: (search: Record<string, unknown>) =>
    defined({
      state: someOf(UPLOAD_STATES, search.state),
      category: text(search.category),
      institution: text(search.institution),
      mine: flag(search.mine),
      since: day(search.since),
      until: day(search.until),
      unopened: flag(search.unopened),
      late: oneOf(TURNAROUND_STEPS, search.late),
      sender: oneOf(UPLOAD_SENDERS, search.sender),
      q: text(search.q),
    }),
  beforeLoad: guardRoute('review'),
  component: QueueScreen,
})

export const uploadRoute = createRoute({
  getParentRoute: () => defaultLayout,
  path: '/uploads/$uploadId',
  validateSearch: (search: Record<string, unknown>) =>
    defined({ mend: oneOf(['edit', 'add-files', 'replace'] as const, search.mend) }),
  beforeLoad: guardRoute(),
  component: UploadScreen,
})
