import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
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

type Tab = 'institutii' | 'cereri' | 'intrebari'

/** The institutions and what they ask. It is composed here because each tab belongs to another feature. */
export function InstitutionsPage() {
  const { tab, request } = useSearch({ from: '/admin-layout/institutions' })
  const navigate = useNavigate({ from: '/institutions' })
  const hasFiles = useFeature('patient::files')
  const counts = useRequestCounts()
  const tabs: TabItem<Tab>[] = [
    { id: 'institutii', label: 'Instituții', icon: 'hospital' },
    { id: 'cereri', label: 'Cereri de acces', icon: 'user-plus', count: counts.accessRequests },
    ...(hasFiles
      ? [{ id: 'intrebari', label: 'Întrebări', icon: 'help', count: counts.questions } as const]
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
        onSelect={(id) => void navigate({ search: id === 'institutii' ? {} : { tab: id } })}
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
        </Suspense>
      </Tabs>
    </>
  )
}
