import { useMutation, useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { lazyOnIdle } from '../../ui/base/lazy-on-idle.ts'
import { EmptyState, ErrorState } from '../../ui/page/empty-state.tsx'
import { StatusPill } from '../../ui/page/status-pill.tsx'
import { type Column, Table } from '../../ui/page/table.tsx'
import { API_KEYS, type ApiKeyRow, REVOKE_API_KEY } from './api-keys.queries.ts'
import { RevokeDialog } from './revoke-dialog.tsx'

const NewApiKeyDialog = lazyOnIdle(() => import('./new-api-key-dialog.tsx'), 'NewApiKeyDialog')

const columns = (onRevoke: (key: ApiKeyRow) => void): Column<ApiKeyRow>[] => [
  { id: 'name', header: 'Nume', kind: 'title', cell: ({ name }) => name },
  { id: 'hint', header: 'Se termină cu', cell: ({ hint }) => <code className="font-mono">…{hint}</code> },
  {
    id: 'created',
    header: 'Emisă',
    cell: ({ createdAt, authorName }) => `${formatDateTime(createdAt)}${authorName ? `, ${authorName}` : ''}`,
  },
  {
    id: 'used',
    header: 'Folosită',
    cell: ({ lastUsedAt }) => (lastUsedAt ? formatDateTime(lastUsedAt) : 'niciodată'),
  },
  {
    id: 'state',
    header: 'Stare',
    cell: (key) =>
      key.revokedAt ? (
        <StatusPill icon="ban">Revocată</StatusPill>
      ) : key.isOwn ? (
        <StatusPill icon="check-circle" tone="success">
          A site-ului
        </StatusPill>
      ) : (
        <Button variant="quiet" aria-label={`Revocă cheia ${key.name}`} onPress={() => onRevoke(key)}>
          Revocă
        </Button>
      ),
  },
]

/** Lists the keys with which programs read public data [6.5]. */
export function ApiKeysCard() {
  const { data, error, refetch } = useQuery(API_KEYS)
  const [isCreating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<ApiKeyRow | null>(null)
  const [revoke] = useMutation(REVOKE_API_KEY, { refetchQueries: [API_KEYS] })
  return (
    <Card
      title="Chei API"
      flush
      actions={
        <Button icon="plus" onPress={() => setCreating(true)}>
          Emite o cheie
        </Button>
      }
    >
      {error && !data ? (
        <ErrorState onRetry={() => void refetch()}>{errorMessage(error)}</ErrorState>
      ) : (
        <>
          <p className="px-4 py-3 text-sm text-muted sm:px-5">
            Cu o cheie, un alt program, de exemplu site-ul organizației, citește datele publice: denumirea,
            sigla, contactele. La pacienți, rezultate și conturi nu ajunge.
          </p>
          <Table
            label="Chei API"
            columns={columns(setRevoking)}
            rows={data?.apiKeys ?? null}
            rowId={({ id }) => id}
            empty={
              <EmptyState icon="key" title="Nicio cheie">
                Emite una pentru fiecare program, ca să o poți revoca doar pe a lui.
              </EmptyState>
            }
          />
        </>
      )}
      {isCreating && <NewApiKeyDialog onClose={() => setCreating(false)} />}
      {revoking && (
        <RevokeDialog
          title={`Revoci cheia „${revoking.name}”?`}
          onRevoke={() => revoke({ variables: { id: revoking.id } })}
          doneTitle="Cheia a fost revocată"
          failedTitle="Cheia nu a fost revocată"
          onClose={() => setRevoking(null)}
        >
          Programele care o folosesc nu mai primesc date, de la următoarea lor cerere.
        </RevokeDialog>
      )}
    </Card>
  )
}
