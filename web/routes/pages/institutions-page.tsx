import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { InstitutionsScreen } from '../../features/institutions/institutions-screen.tsx'
import { useRequestCounts } from '../../features/questions/request-counts.tsx'
import { useFeature } from '../../session/use-session.ts'
import { lazyNamed } from '../../ui/base/lazy.ts'
import { Spinner } from '../../ui/base/loading.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { type TabItem, Tabs } from '../../ui/page/tabs.tsx'

const AccessRequests = lazyNamed(
  () => import('../../features/access-requests/access-requests.tsx'),
  'AccessRequests',
)
const OpenQuestions = lazyNamed(() => import('../../features/questions/open-questions.tsx'), 'OpenQuestions')

const Unopened = lazyNamed(() => import('../../features/deliveries/unopened.tsx'), 'Unopened')

type Tab = 'institutii' | 'cereri' | 'intrebari' | 'nedeschise'

/** What each tab has in the address when it is chosen. */
const SEARCH_OF_TAB = {
  institutii: {},
  cereri: { tab: 'cereri' },
  intrebari: { tab: 'intrebari' },
  nedeschise: { tab: 'nedeschise', older: LIMITS.alarmDays },
} as const

/** The institutions, what they ask and what they have not opened. It is composed here because each tab belongs to another feature. */
export function InstitutionsPage() {
  const { tab, request, days, older } = useSearch({ from: '/admin-layout/institutions' })
  const navigate = useNavigate({ from: '/institutions' })
  const hasFiles = useFeature('patient::files')
  const counts = useRequestCounts()
  const tabs: TabItem<Tab>[] = [
    { id: 'institutii', label: 'Instituții', icon: 'hospital' },
    { id: 'cereri', label: 'Cereri de acces', icon: 'user-plus', count: counts.accessRequests },
    ...(hasFiles
      ? [
          { id: 'intrebari', label: 'Întrebări', icon: 'help', count: counts.questions } as const,
          { id: 'nedeschise', label: 'Nedeschise', icon: 'envelope' } as const,
        ]
      : []),
  ]
  const selected = tabs.find(({ id }) => id === tab)?.id ?? 'institutii'
  return (
    <>
      <PageHeader title="Instituții" />
      <Tabs
        label="Instituții"
        tabs={tabs}
        selected={selected}
        onSelect={(id) => void navigate({ search: SEARCH_OF_TAB[id] })}
      >
        <Suspense fallback={<Spinner className="p-4" />}>
          {selected === 'institutii' && <InstitutionsScreen />}
          {selected === 'cereri' && (
            <AccessRequests
              requestId={request ?? null}
              onClose={() => void navigate({ search: { tab: 'cereri' }, resetScroll: false })}
            />
          )}
          {selected === 'intrebari' && <OpenQuestions />}
          {selected === 'nedeschise' && (
            <Unopened
              filters={{ ...(days && { days }), ...(older && { older }) }}
              onChange={(filters) =>
                void navigate({ search: { tab: 'nedeschise', ...filters }, resetScroll: false })
              }
            />
          )}
        </Suspense>
      </Tabs>
    </>
  )
}
