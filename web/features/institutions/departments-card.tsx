import { useApolloClient, useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { counted } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Button, IconButton } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { DepartmentDialog } from './department-dialog.tsx'
import { DEPARTMENTS, type DepartmentLine, REMOVE_DEPARTMENT } from './departments.queries.ts'

/** The departments of an institution and the referring doctors of each, by which its users narrow their results. */
export function DepartmentsCard({ institutionId }: { institutionId: string }) {
  const client = useApolloClient()
  const { data, error, refetch } = useQuery(DEPARTMENTS, { variables: { id: institutionId } })
  const [edited, setEdited] = useState<DepartmentLine | 'new' | null>(null)
  const reload = () => void refetch().catch(() => undefined)
  if (error && !data) return <ErrorState onRetry={reload}>{errorMessage(error)}</ErrorState>
  if (!data) return <Skeleton className="h-32 rounded-lg" />
  const { departments, doctors } = data.institution
  const remove = async ({ id, version, name }: DepartmentLine) => {
    try {
      await client.mutate({ mutation: REMOVE_DEPARTMENT, variables: { id, version } })
      showToast({ tone: 'success', title: `Secția ${name} este ștearsă` })
    } catch (failure) {
      showToast({ tone: 'error', title: 'Secția nu s-a șters', description: errorMessage(failure) })
    }
    reload()
  }
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
          Nicio secție. Cu secții, fiecare coleg vede rezultatele medicilor din secția lui.
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
                    onPress={() => void remove(department)}
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
    </Card>
  )
}
