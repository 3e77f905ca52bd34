import { useQuery } from '@apollo/client/react'
import { Suspense, useState } from 'react'
import { Dialog, DialogTrigger, Popover } from 'react-aria-components'
import { LIMITS } from '../../../shared/limits.ts'
import { boundedCount, counted } from '../../../shared/romania/romanian.ts'
import { IconButton } from '../../ui/base/button.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { lazyNamed } from '../../ui/base/lazy.ts'
import { popoverClass } from '../../ui/base/popover-styles.ts'
import { NOTIFICATION_COUNT } from './notifications.queries.ts'
import { NotificationsLoading } from './notifications-loading.tsx'

const loadList = () => import('./notification-list.tsx')
const NotificationList = lazyNamed(loadList, 'NotificationList')

/** Loads the list before it is opened; a failure is shown when it is. */
const prepareList = () => void loadList().catch(() => undefined)

/** `3 noutăți`, `20 de noutăți`. */
export function describeCount(count: number): string {
  if (count >= LIMITS.shownCount) return `peste ${counted(LIMITS.shownCount - 1, 'noutate', 'noutăți')}`
  return count > 0 ? counted(count, 'noutate', 'noutăți') : 'Nicio noutate'
}

/** The bell of the header, with how many things the user has not seen, and its list. */
export function NotificationBell({ onSettings }: { onSettings: () => void }) {
  const { data } = useQuery(NOTIFICATION_COUNT, { fetchPolicy: 'cache-only' })
  const count = data?.notificationCount ?? 0
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <span className="relative flex">
        <IconButton
          icon="bell"
          label={data ? describeCount(count) : 'Noutăți'}
          onHoverStart={prepareList}
          onFocus={prepareList}
        />
        {count > 0 && (
          <span
            aria-hidden
            className="pointer-events-none absolute top-0.5 right-0 min-w-5 rounded-full bg-accent-mark px-1 text-center text-xs font-medium text-canvas"
          >
            {boundedCount(count, LIMITS.shownCount)}
          </span>
        )}
      </span>
      <Popover className={classNames(popoverClass, 'w-96')} placement="bottom end" offset={6}>
        <Dialog aria-label="Ce este nou" className="outline-none">
          <Suspense fallback={<NotificationsLoading />}>
            <NotificationList
              onClose={close}
              onSettings={() => {
                close()
                onSettings()
              }}
            />
          </Suspense>
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}
