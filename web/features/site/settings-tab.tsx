import { useQuery } from '@apollo/client/react'
import { errorMessage } from '../../api/client-error.ts'
import { lazyOnIdle } from '../../ui/base/lazy-on-idle.ts'
import { Spinner } from '../../ui/base/loading.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { SITE_SETTINGS } from './settings.queries.ts'

const SettingsForm = lazyOnIdle(() => import('./settings-form.tsx'), 'SettingsForm')

/** The settings of the site [1.5]. */
export function SettingsTab() {
  // Not cached, since the form keeps its own copy; another visit loads the settings again.
  const { data, error, refetch } = useQuery(SITE_SETTINGS, { fetchPolicy: 'no-cache' })
  if (data) return <SettingsForm loaded={data.siteSettings} />
  if (error) return <ErrorState onRetry={() => void refetch()}>{errorMessage(error)}</ErrorState>
  return <Spinner className="p-4" />
}
