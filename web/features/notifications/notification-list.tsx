import { useMutation, useQuery } from '@apollo/client/react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Heading } from 'react-aria-components'
import { LIMITS } from '../../../shared/limits.ts'
import { notificationName } from '../../../shared/notifications/notification-kinds.ts'
import { boundedCount, formatDateTime } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { useUser } from '../../session/use-session.ts'
import { IconButton } from '../../ui/base/button.tsx'
import { Icon } from '../../ui/base/icon.tsx'
import { PlainLink, TextLink } from '../../ui/base/link.tsx'
import { EmptyState, ErrorState } from '../../ui/page/empty-state.tsx'
import { Badge } from '../../ui/page/status-pill.tsx'
import { useCategories } from '../categories/categories.ts'
import { useListChanges } from '../site/use-list-changes.ts'
import { describeNotification, listOf, NOTIFICATION_ICONS, type Reader } from './describe-notification.ts'
import {
  MARK_NOTIFICATIONS_SEEN,
  NOTIFICATION_COUNT,
  NOTIFICATIONS,
  type Notification,
  type NotificationGroup,
} from './notifications.queries.ts'
import { NotificationsLoading } from './notifications-loading.tsx'

/**
 * What the bell has, by kind, and notes that it was seen. What was new when it was opened stays marked as new until it is
 * closed.
 */
export function NotificationList({ onClose, onSettings }: { onClose: () => void; onSettings: () => void }) {
  const { data, error, loading, refetch } = useQuery(NOTIFICATIONS, { fetchPolicy: 'network-only' })
  const groups = data?.notifications
  const reload = () => void refetch().catch(() => undefined)
  useListChanges('NOTIFICATIONS', reload)
  useMarkSeen(groups)
  const fresh = useRef(new Set<string>())
  for (const { items } of groups ?? [])
    for (const item of items) if (item.isNew) fresh.current.add(keyOf(item))
  const role = useUser().role
  const reader = { isInstitution: role === 'institution', isAdmin: role === 'admin' }
  return (
    <>
      <div className="flex items-center justify-between gap-2 border-b border-line py-1 pr-1.5 pl-4">
        <Heading slot="title" level={2} className="font-semibold">
          Ce este nou
        </Heading>
        <IconButton icon="settings" label="Alege ce apare aici" onPress={onSettings} />
      </div>
      {!groups ? (
        error ? (
          <ErrorState onRetry={reload} isRetrying={loading} className="py-8">
            {errorMessage(error)}
          </ErrorState>
        ) : (
          <NotificationsLoading />
        )
      ) : groups.length === 0 ? (
        <EmptyState icon="bell" title="Nimic nou" className="py-8" />
      ) : (
        groups.map((group) => (
          <Group key={group.kind} group={group} reader={reader} onClose={onClose}>
            {group.items.map((item) => (
              <Entry
                key={item.id}
                kind={group.kind}
                item={item}
                isFresh={fresh.current.has(keyOf(item))}
                reader={reader}
                onClose={onClose}
              />
            ))}
          </Group>
        ))
      )}
    </>
  )
}

/** A thing can become new again, at a later time. */
const keyOf = ({ id, at }: Notification): string => `${id} ${at}`

/** Notes, while the page is visible, that what is shown was seen. */
function useMarkSeen(groups: readonly NotificationGroup[] | undefined): void {
  const [mark] = useMutation(MARK_NOTIFICATIONS_SEEN, {
    update: (cache, { data }) => {
      if (data)
        cache.writeQuery({
          query: NOTIFICATION_COUNT,
          data: { notificationCount: data.markNotificationsSeen },
        })
    },
  })
  const seen = (groups ?? []).flatMap(({ kind, newCount, items: [newest] }) =>
    newCount > 0 && newest ? [{ kind, until: newest.at }] : [],
  )
  const key = JSON.stringify(seen)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` has all of `seen`
  useEffect(() => {
    if (seen.length === 0) return
    const markVisible = () => {
      if (document.visibilityState !== 'visible') return
      mark({ variables: { seen } }).catch(() => undefined)
    }
    markVisible()
    document.addEventListener('visibilitychange', markVisible)
    return () => document.removeEventListener('visibilitychange', markVisible)
  }, [key])
}

function Group({
  group: { kind, count },
  reader,
  onClose,
  children,
}: {
  group: NotificationGroup
  reader: Reader
  onClose: () => void
  children: ReactNode
}) {
  const name = notificationName(kind, reader.isInstitution)
  const all = listOf(kind, reader)
  return (
    <section aria-label={name} className="border-b border-line py-2 last:border-b-0">
      <div className="flex items-center gap-2 px-4 py-1 text-sm">
        <Icon name={NOTIFICATION_ICONS[kind]} size={18} className="text-muted" />
        <h3 className="min-w-0 font-medium">{name}</h3>
        <Badge>{boundedCount(count, LIMITS.shownCount)}</Badge>
        {all && (
          <TextLink
            {...all}
            onClick={onClose}
            aria-label={`Vezi toate: ${name}`}
            className="ml-auto shrink-0"
          >
            Vezi toate
          </TextLink>
        )}
      </div>
      <ul>{children}</ul>
    </section>
  )
}

function Entry({
  kind,
  item,
  isFresh,
  reader,
  onClose,
}: {
  kind: NotificationGroup['kind']
  item: Notification
  isFresh: boolean
  reader: Reader
  onClose: () => void
}) {
  const { list } = useCategories()
  const { title, detail, target } = describeNotification(
    kind,
    item,
    reader,
    (slug) => list.find((category) => category.slug === slug)?.name ?? null,
  )
  const content = (
    <>
      <span className="flex items-center gap-2">
        <span className={isFresh ? 'font-medium' : ''}>{title}</span>
        {isFresh && <Badge tone="accent">nou</Badge>}
      </span>
      <span className="block text-muted">
        {detail && `${detail} · `}
        <time dateTime={item.at} className="whitespace-nowrap">
          {formatDateTime(item.at)}
        </time>
      </span>
    </>
  )
  const className = 'block px-4 py-2 text-sm break-words'
  return (
    <li>
      {target ? (
        <PlainLink {...target} onClick={onClose} className={`${className} transition-colors hover:bg-hover`}>
          {content}
        </PlainLink>
      ) : (
        <div className={className}>{content}</div>
      )}
    </li>
  )
}
