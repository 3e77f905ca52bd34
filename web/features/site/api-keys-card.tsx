import { useMutation, useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { lazyOnIdle } from '../../ui/base/lazy.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { EmptyState, ErrorState } from '../../ui/page/empty-state.tsx'
import { StatusPill } from '../../ui/page/status-pill.tsx'
import { type Column, Table } from '../../ui/page/table.tsx'
import { API_KEYS, type ApiKeyRow, REVOKE_API_KEY } from './api-keys.queries.ts'

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
      {revoking && <RevokeDialog apiKey={revoking} onClose={() => setRevoking(null)} />}
    </Card>
  )
}

/** Asks to confirm; a revoked key cannot be restored, so its programs need a new key. */
function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKeyRow; onClose: () => void }) {
  const [revoke, { loading }] = useMutation(REVOKE_API_KEY, { refetchQueries: [API_KEYS] })
  const confirm = async () => {
    try {
      await revoke({ variables: { id: apiKey.id } })
      showToast({ tone: 'success', title: 'Cheia a fost revocată' })
    } catch (error) {
      showToast({ tone: 'error', title: 'Cheia nu a fost revocată', description: errorMessage(error) })
    }
    onClose()
  }
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      role="alertdialog"
      size="sm"
      title={`Revoci cheia „${apiKey.name}”?`}
      actions={
        <>
          <Button onPress={onClose}>Anulează</Button>
          <Button variant="danger" isPending={loading} onPress={() => void confirm()}>
            Revocă
          </Button>
        </>
      }
    >
      <p className="text-muted">
        Programele care o folosesc nu mai primesc date, de la următoarea lor cerere.
      </p>
    </Dialog>
  )
}
