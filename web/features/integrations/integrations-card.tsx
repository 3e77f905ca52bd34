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
import { RevokeDialog } from '../site/revoke-dialog.tsx'
import { KIND_NAMES } from './integration-values.ts'
import { INTEGRATIONS, type Integration, REVOKE_INTEGRATION } from './integrations.queries.ts'

const NewIntegration = lazyOnIdle(() => import('./new-integration.tsx'), 'NewIntegration')
const EditIntegrationSheet = lazyOnIdle(() => import('./edit-integration-sheet.tsx'), 'EditIntegrationSheet')

const columns = (
  onEdit: (integration: Integration) => void,
  onRevoke: (integration: Integration) => void,
): Column<Integration>[] => [
  { id: 'name', header: 'Nume', kind: 'title', cell: ({ name }) => name },
  { id: 'kind', header: 'Fel', cell: ({ kind }) => KIND_NAMES[kind] },
  { id: 'institution', header: 'Instituția', cell: ({ institution }) => institution?.name ?? '–' },
  { id: 'category', header: 'Categoria', cell: ({ category }) => category?.name ?? '–' },
  {
    id: 'used',
    header: 'Folosită',
    cell: ({ lastUsedAt }) => (lastUsedAt ? formatDateTime(lastUsedAt) : 'niciodată'),
  },
  {
    id: 'state',
    header: 'Stare',
    cell: ({ revokedAt, submitsToReview }) =>
      revokedAt ? (
        <StatusPill icon="ban">Revocată</StatusPill>
      ) : submitsToReview ? (
        <StatusPill icon="review" tone="info">
          Direct la verificare
        </StatusPill>
      ) : (
        <StatusPill icon="check-circle" tone="success">
          În folosință
        </StatusPill>
      ),
  },
  {
    id: 'actions',
    header: 'Acțiuni',
    kind: 'actions',
    align: 'end',
    cell: (integration) =>
      !integration.revokedAt && (
        <div className="flex justify-end gap-1">
          <Button
            variant="quiet"
            aria-label={`Editează integrarea ${integration.name}`}
            onPress={() => onEdit(integration)}
          >
            Editează
          </Button>
          <Button
            variant="quiet"
            aria-label={`Revocă integrarea ${integration.name}`}
            onPress={() => onRevoke(integration)}
          >
            Revocă
          </Button>
        </div>
      ),
  },
]

/** Lists the programs that send results, each with a key of its own. */
export function IntegrationsCard() {
  const { data, error, refetch } = useQuery(INTEGRATIONS, { fetchPolicy: 'cache-and-network' })
  const [isCreating, setCreating] = useState(false)
  const [editing, setEditing] = useState<Integration | null>(null)
  const [revoking, setRevoking] = useState<Integration | null>(null)
  const [revoke] = useMutation(REVOKE_INTEGRATION)
  return (
    <Card
      title="Integrări"
      flush
      actions={
        <Button icon="plus" onPress={() => setCreating(true)}>
          Integrare nouă
        </Button>
      }
    >
      {error && !data ? (
        <ErrorState onRetry={() => void refetch()}>{errorMessage(error)}</ErrorState>
      ) : (
        <>
          <p className="px-4 py-3 text-sm text-muted sm:px-5">
            Printr-o integrare, un scanner sau sistemul laboratorului trimite singur rezultatele. Ele apar la
            „Încărcările mele”, într-un lot pe zi cu numele integrării. O integrare nu citește și nu
            eliberează nimic.
          </p>
          <Table
            label="Integrări"
            columns={columns(setEditing, setRevoking)}
            rows={data?.integrations ?? null}
            rowId={({ id }) => id}
            empty={
              <EmptyState icon="folder" title="Nicio integrare">
                Creează câte una pentru fiecare scanner sau program: poți opri unul fără să le oprești pe
                celelalte.
              </EmptyState>
            }
          />
        </>
      )}
      {isCreating && <NewIntegration onClose={() => setCreating(false)} />}
      {editing && <EditIntegrationSheet integration={editing} onClose={() => setEditing(null)} />}
      {revoking && (
        <RevokeDialog
          title={`Revoci integrarea „${revoking.name}”?`}
          onRevoke={() => revoke({ variables: { id: revoking.id } })}
          doneTitle="Integrarea a fost revocată"
          failedTitle="Integrarea nu a fost revocată"
          onClose={() => setRevoking(null)}
        >
          Nu mai poate trimite nimic, de la următoarea cerere. Ce a trimis rămâne. Pentru a o folosi din nou,
          creezi alta, cu altă cheie.
        </RevokeDialog>
      )}
    </Card>
  )
}
