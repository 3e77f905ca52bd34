import { useMutation, useQuery } from '@apollo/client/react'
import { useEffect, useState } from 'react'
import { isChainWarning } from '../../../shared/audit/chain-faults.ts'
import { counted, formatDateTime } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { LAST_VERIFICATION, VERIFY_AUDIT, type Verification } from './audit.queries.ts'
import { describeFault } from './chain-labels.ts'

/** How often, and how long, a running verification is polled. */
const POLL_INTERVAL_MS = 1_000
const POLL_TIMEOUT_MS = 120_000

/** Shows whether the audit log is intact, by its last verification; for administrators. */
export function ChainState() {
  const { data, startPolling, stopPolling } = useQuery(LAST_VERIFICATION)
  const [verify] = useMutation(VERIFY_AUDIT)
  /** The last verification at the time another was started; null if no verification is awaited. */
  const [awaited, setAwaited] = useState<{ before: string | undefined } | null>(null)
  const last = data?.lastAuditVerification ?? null
  const isDone = awaited !== null && last?.id !== awaited.before
  useEffect(() => {
    if (!awaited) return
    startPolling(POLL_INTERVAL_MS)
    const timeout = setTimeout(() => {
      setAwaited(null)
      showToast({
        tone: 'info',
        title: 'Verificarea durează',
        description: 'Jurnalul este lung. Reîncarcă pagina mai târziu.',
      })
    }, POLL_TIMEOUT_MS)
    return () => {
      stopPolling()
      clearTimeout(timeout)
    }
  }, [awaited, startPolling, stopPolling])
  useEffect(() => {
    if (isDone) setAwaited(null)
  }, [isDone])

  const start = async () => {
    try {
      await verify()
      setAwaited({ before: last?.id })
    } catch (error) {
      showToast({ tone: 'error', title: 'Verificarea nu a pornit', description: errorMessage(error) })
    }
  }
  if (!data) return null
  const { tone, title } = summarizeVerification(last)
  return (
    <Alert
      tone={tone}
      icon={tone === 'success' ? 'shield-check' : tone === 'info' ? undefined : 'shield-alert'}
      className="mb-5"
      title={title}
      actions={
        <Button icon="shield-check" isPending={awaited !== null} onPress={() => void start()}>
          Verifică acum
        </Button>
      }
    >
      <div role="status" className="grid gap-1.5">
        {last && last.faults.length > 0 && (
          <ul className="grid list-disc gap-1 pl-5">
            {last.faults.map((fault) => (
              <li key={`${fault.kind} ${fault.entryId} ${fault.position}`}>{describeFault(fault)}</li>
            ))}
          </ul>
        )}
        <p>{describeVerification(last)}</p>
      </div>
    </Alert>
  )
}

function summarizeVerification(last: Verification | null) {
  if (!last) return { tone: 'info', title: 'Jurnalul nu a fost verificat încă' } as const
  if (last.faults.length === 0) return { tone: 'success', title: 'Jurnalul este întreg' } as const
  return last.faults.every(({ kind }) => isChainWarning(kind))
    ? ({ tone: 'warning', title: 'Jurnalul este întreg, dar dovada are lipsuri' } as const)
    : ({ tone: 'danger', title: 'Jurnalul nu mai este așa cum a fost scris' } as const)
}

function describeVerification(last: Verification | null): string {
  if (!last)
    return 'În fiecare noapte se verifică dacă vreo înregistrare a fost modificată, ștearsă sau mutată.'
  const { checked, finishedAt, askedBy } = last
  const who = askedBy ? `verificare cerută de ${askedBy}` : 'verificarea de noapte'
  return `${counted(checked, 'înregistrare citită', 'înregistrări citite')} la ${formatDateTime(finishedAt)}, ${who}.`
}
