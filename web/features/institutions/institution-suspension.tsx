import { useMutation } from '@apollo/client/react'
import { Suspense, useState } from 'react'
import { errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { lazyOnIdle } from '../../ui/base/lazy-on-idle.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { REACTIVATE_INSTITUTION } from './institutions.queries.ts'
import type { SuspensionProps } from './suspend-dialog.tsx'

const SuspendDialog = lazyOnIdle(() => import('./suspend-dialog.tsx'), 'SuspendDialog')

/** Suspends an institution after a dialog with the consequences, or reactivates it at once. */
export function SuspensionButton({ institution, onStale }: SuspensionProps) {
  const { id, version, name, can } = institution
  const [isConfirming, setConfirming] = useState(false)
  const [reactivate, { loading }] = useMutation(REACTIVATE_INSTITUTION)
  const reactivateNow = async () => {
    try {
      await reactivate({ variables: { id, version } })
      showToast({ tone: 'success', title: `${name} este din nou activă` })
    } catch (error) {
      showToast({
        tone: 'error',
        title: 'Instituția nu a fost reactivată',
        description: errorMessage(error),
      })
      await onStale().catch(() => undefined)
    }
  }
  return (
    <>
      {/* One button for both actions, so that it keeps the focus when it changes. */}
      <Button
        icon={can.reactivate ? 'check-circle' : 'ban'}
        isPending={loading}
        onPress={() => (can.reactivate ? void reactivateNow() : setConfirming(true))}
      >
        {can.reactivate ? 'Reactivează' : 'Suspendă instituția'}
      </Button>
      <Suspense>
        {isConfirming && (
          <SuspendDialog institution={institution} onStale={onStale} onClose={() => setConfirming(false)} />
        )}
      </Suspense>
    </>
  )
}
