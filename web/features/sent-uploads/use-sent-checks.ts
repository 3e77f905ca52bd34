import { useQuery } from '@apollo/client/react'
import { useRereads } from '../new-upload/checks/use-file-checks.ts'
import { SENT_CHECKS, type SentCheck, type SentProposal } from './sent-uploads.queries.ts'

export type SentChecks = {
  /** By fingerprint; of the files that have arrived. */
  bySha256: ReadonlyMap<string, SentCheck>
  proposal: SentProposal | null
  /** With whom the server has compared them. */
  patientId: string | null
  reload: () => void
}

/** Returns what the files of a draft say, as soon as they are read. `arrived`: the fingerprints of those that have arrived. */
export function useSentChecks(draftId: string | null, arrived: readonly string[]): SentChecks {
  const isActive = draftId !== null && arrived.length > 0
  const { data, refetch } = useQuery(SENT_CHECKS, {
    variables: { id: draftId ?? '' },
    skip: !isActive,
    fetchPolicy: 'network-only',
    nextFetchPolicy: 'cache-first',
  })
  const reload = () => {
    if (isActive) void refetch().catch(() => undefined)
  }
  const checks = (isActive && data?.sentDraft.checks) || []
  const bySha256 = new Map(
    checks.filter(({ file }) => arrived.includes(file.sha256)).map((check) => [check.file.sha256, check]),
  )
  useRereads({ uploadId: draftId, arrived, stateOf: (sha256) => bySha256.get(sha256)?.state, reload })
  const draft = isActive ? data?.sentDraft : undefined
  return { bySha256, proposal: draft?.proposal ?? null, patientId: draft?.patient?.id ?? null, reload }
}
