import { useApolloClient, useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { counted } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Button, IconButton } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { lazyOnIdle } from '../../ui/base/lazy-on-idle.ts'
import { Skeleton } from '../../ui/base/loading.tsx'
import { FailureNotice } from '../../ui/feedback/notice.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { useAsyncAction } from '../own-account/use-async-action.ts'
import { DEPARTMENTS, type DepartmentLine, REMOVE_DEPARTMENT } from './departments.queries.ts'

const DepartmentDialog = lazyOnIdle(() => import('./department-dialog.tsx'), 'DepartmentDialog')

/** The departments of an institution and the referring doctors of each, by which its users narrow their results. */
export function DepartmentsCard({ institutionId }: { institutionId: string }) {
  const { data, error, refetch } = useQuery(DEPARTMENTS, { variables: { id: institutionId } })
  const [edited, setEdited] = useState<DepartmentLine | 'new' | null>(null)
  const [removed, setRemoved] = useState<DepartmentLine | null>(null)
  const reload = () => void refetch().catch(() => undefined)
  if (error && !data) return <ErrorState onRetry={reload}>{errorMessage(error)}</ErrorState>
  if (!data) return <Skeleton className="h-32 rounded-lg" />
  const { departments, doctors } = data.institution
  return (
    <Card
      title="Secții"
      actions={
        <Button icon="plus" onPress={() => setEdited('new')}>
          Adaugă o secție
        </Button>
      }
    >
      {departments.length === 0 ? (
        <p className="text-sm text-muted">
          Nicio secție. Cine își alege o secție începe cu rezultatele medicilor ei și poate vedea oricând pe
          ale tuturor.
        </p>
      ) : (
        <ul className="divide-y divide-line text-sm">
          {departments.map((department) => {
            const own = doctors.filter(({ departmentId }) => departmentId === department.id)
            return (
              <li key={department.id} className="flex items-center justify-between gap-3 py-1.5">
                <span className="min-w-0">
                  <span className="block font-medium break-words">{department.name}</span>
                  <span className="block text-muted">
                    {own.length === 0
                      ? 'niciun medic'
                      : `${counted(own.length, 'medic', 'medici')}: ${own.map(({ name }) => name).join(', ')}`}
                  </span>
                </span>
                <span className="flex shrink-0">
                  <IconButton
                    icon="pencil"
                    label={`Editează: ${department.name}`}
                    onPress={() => setEdited(department)}
                  />
                  <IconButton
                    icon="trash"
                    label={`Șterge: ${department.name}`}
                    onPress={() => setRemoved(department)}
                  />
                </span>
              </li>
            )
          })}
        </ul>
      )}
      {edited && (
        <DepartmentDialog
          institutionId={institutionId}
          department={edited === 'new' ? null : edited}
          doctors={doctors}
          departments={departments}
          onClose={() => setEdited(null)}
          onSaved={() => {
            setEdited(null)
            reload()
          }}
        />
      )}
      {removed && (
        <RemoveDialog
          department={removed}
          onClose={() => {
            setRemoved(null)
            reload()
          }}
        />
      )}
    </Card>
  )
}

/** Asks before a department is deleted. Mounted while it is open. */
function RemoveDialog({
  department: { id, version, name },
  onClose,
}: {
  department: DepartmentLine
  onClose: () => void
}) {
  const client = useApolloClient()
  const attempt = useAsyncAction()
  const remove = () =>
    attempt.run(async () => {
      await client.mutate({ mutation: REMOVE_DEPARTMENT, variables: { id, version } })
      showToast({ tone: 'success', title: `Secția ${name} este ștearsă` })
      onClose()
    })
  return (
    <Dialog
      role="alertdialog"
      size="sm"
      isOpen
      onOpenChange={onClose}
      title="Se șterge secția?"
      actions={
        <>
          <Button autoFocus onPress={onClose}>
            Renunță
          </Button>
          <Button variant="danger" isPending={attempt.isPending} onPress={() => void remove()}>
            Șterge secția
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <FailureNotice>{attempt.message}</FailureNotice>
        <p className="break-words text-muted">
          Medicii din „{name}” rămân fără secție, iar cine a ales-o vede din nou toate rezultatele.
        </p>
      </div>
    </Dialog>
  )
}
