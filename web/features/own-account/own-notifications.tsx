import { useMutation, useQuery } from '@apollo/client/react'
import { type NotificationKind, notificationName } from '../../../shared/notifications/notification-kinds.ts'
import { errorMessage } from '../../api/client-error.ts'
import { useUser } from '../../session/use-session.ts'
import { Skeleton } from '../../ui/base/loading.tsx'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { CHOOSE_NOTIFICATIONS, NOTIFICATION_SETTINGS } from './own-account.queries.ts'

/** Which kinds of notifications the user's bell counts; each choice is saved at once. */
export function OwnNotifications() {
  const isInstitution = useUser().role === 'institution'
  const { data, error, refetch } = useQuery(NOTIFICATION_SETTINGS, { fetchPolicy: 'cache-and-network' })
  const [choose, { loading }] = useMutation(CHOOSE_NOTIFICATIONS, {
    update: (cache, { data: saved }) => {
      if (saved)
        cache.writeQuery({
          query: NOTIFICATION_SETTINGS,
          data: { notificationSettings: saved.chooseNotifications },
        })
    },
  })
  if (error && !data) return <ErrorState onRetry={() => void refetch()}>{errorMessage(error)}</ErrorState>
  if (!data) return <Skeleton className="h-40" />
  const save = async (kind: NotificationKind, isOn: boolean) => {
    try {
      await choose({ variables: { kind, isOn } })
    } catch (failure) {
      showToast({ tone: 'error', title: 'Alegerea nu este salvată', description: errorMessage(failure) })
    }
  }
  return (
    <fieldset>
      <legend className="sr-only">Ce apare la clopoțel</legend>
      {data.notificationSettings.map(({ kind, isOn }) => (
        <Checkbox
          key={kind}
          isSelected={isOn}
          isReadOnly={loading}
          onChange={(chosen) => void save(kind, chosen)}
        >
          {notificationName(kind, isInstitution)}
        </Checkbox>
      ))}
    </fieldset>
  )
}
