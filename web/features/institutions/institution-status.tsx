import { StatusPill } from '../../ui/page/status-pill.tsx'

export function InstitutionStatus({ suspendedAt }: { suspendedAt: string | null }) {
  return suspendedAt ? (
    <StatusPill icon="ban" tone="warning">
      Suspendată
    </StatusPill>
  ) : (
    <StatusPill icon="check" tone="success">
      Activă
    </StatusPill>
  )
}
