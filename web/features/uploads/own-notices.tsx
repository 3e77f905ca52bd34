import { useQuery } from '@apollo/client/react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { lookUp } from '../../../shared/look-up.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { OWN_NOTICES, type OwnNotice } from './own-notices.queries.ts'

const TITLES: Readonly<Record<string, string>> = {
  rejected: 'a fost respinsă',
  quarantined: 'a fost oprită la control',
  unassigned: 'nu are pacient',
  disagrees: 'are un fișier al altui pacient',
}

/** More new notices than these are shown as one. */
const MAX_TOASTS = 2

/**
 * Counts the uploads that need the user who filed them, and notifies of each that is new while the page is open. Reads again
 * when `changes` changes; `FrameCounts` reads first.
 */
export function OwnNotices({ changes, onCount }: { changes: number; onCount: (count: number) => void }) {
  const { data, refetch } = useQuery(OWN_NOTICES, { fetchPolicy: 'cache-only' })
  const navigate = useNavigate()
  const known = useRef<ReadonlySet<string> | null>(null)

  useEffect(() => {
    if (changes > 0) void refetch().catch(() => undefined)
  }, [changes, refetch])

  useEffect(() => {
    if (!data) return
    const { ownNotices } = data
    onCount(ownNotices.length)
    const added = known.current ? ownNotices.filter((notice) => !known.current!.has(keyOf(notice))) : []
    known.current = new Set(ownNotices.map(keyOf))
    if (added.length > MAX_TOASTS)
      showToast({
        tone: 'error',
        title: `${added.length} încărcări ale tale cer ceva de la tine`,
        action: { label: 'Vezi-le', onAction: () => void navigate({ to: '/bulk' }) },
      })
    else
      for (const { uploadId, number, why } of added)
        showToast({
          tone: 'error',
          title: `Încărcarea nr. ${number} ${lookUp(TITLES, why) ?? ''}`,
          action: {
            label: 'Deschide',
            onAction: () => void navigate({ to: '/uploads/$uploadId', params: { uploadId } }),
          },
        })
  }, [data, navigate, onCount])
  return null
}

const keyOf = ({ uploadId, why }: OwnNotice): string => `${uploadId} ${why}`
