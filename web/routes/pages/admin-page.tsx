import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ComponentType, Suspense } from 'react'
import { HiddenSetup, SetupChecklist } from '../../features/setup/lazy-setup-checklist.ts'
import { useUser } from '../../session/use-session.ts'
import { lazyNamed } from '../../ui/base/lazy.ts'
import { Spinner } from '../../ui/base/loading.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { type TabItem, Tabs } from '../../ui/page/tabs.tsx'
import type { ADMIN_TABS } from '../admin-tabs.ts'

type AdminTab = (typeof ADMIN_TABS)[number]

const TABS: readonly (TabItem<AdminTab> & { Content: ComponentType })[] = [
  {
    id: 'setari',
    label: 'Setări',
    icon: 'settings',
    Content: lazyNamed(() => import('../../features/site/settings-tab.tsx'), 'SettingsTab'),
  },
  {
    id: 'conturi',
    label: 'Conturi',
    icon: 'users',
    Content: lazyNamed(() => import('../../features/users/accounts-tab.tsx'), 'AccountsTab'),
  },
  {
    id: 'categorii',
    label: 'Categorii',
    icon: 'folders',
    Content: lazyNamed(() => import('../../features/categories/categories-tab.tsx'), 'CategoriesTab'),
  },
  {
    id: 'integrari',
    label: 'Integrări',
    icon: 'file-up',
    Content: lazyNamed(() => import('../../features/integrations/integrations-card.tsx'), 'IntegrationsCard'),
  },
  {
    id: 'chei',
    label: 'Chei API',
    icon: 'lock',
    Content: lazyNamed(() => import('../../features/site/api-keys-card.tsx'), 'ApiKeysCard'),
  },
  {
    id: 'mesaje',
    label: 'Mesaje',
    icon: 'envelope',
    Content: lazyNamed(() => import('../../features/messages/messages-card.tsx'), 'MessagesCard'),
  },
  {
    id: 'incidente',
    label: 'Incidente',
    icon: 'shield-alert',
    Content: lazyNamed(() => import('../../features/incidents/incidents-tab.tsx'), 'IncidentsTab'),
  },
  {
    id: 'sistem',
    label: 'Sistem',
    icon: 'hard-drive',
    Content: lazyNamed(() => import('../../features/system/system-tab.tsx'), 'SystemTab'),
  },
]

/** The administration screen. It is composed here because each tab belongs to another feature. */
export function AdminPage() {
  const isAdmin = useUser().role === 'admin'
  const { tab } = useSearch({ from: '/admin-layout/admin' })
  const navigate = useNavigate({ from: '/admin' })
  const { id, Content } = TABS.find((each) => each.id === tab) ?? TABS[0]!
  return (
    <>
      <PageHeader title="Administrare" />
      {isAdmin && (
        <Suspense>
          <SetupChecklist />
        </Suspense>
      )}
      {isAdmin ? (
        <Tabs
          label="Administrare"
          tabs={TABS}
          selected={id}
          onSelect={(next) => void navigate({ search: next === TABS[0]?.id ? {} : { tab: next } })}
        >
          <Suspense fallback={<Spinner className="p-4" />}>
            <Content />
          </Suspense>
        </Tabs>
      ) : (
        <EmptyState icon="lock" title="Doar administratorii lucrează aici">
          Conturile și setările sunt ale lor. Dacă îți lipsește un drept, cere-l unui administrator.
        </EmptyState>
      )}
      {isAdmin && (
        <Suspense>
          <HiddenSetup />
        </Suspense>
      )}
    </>
  )
}
