import { useQuery } from '@apollo/client/react'
import { Fragment, useState } from 'react'
import { errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { lazyOnIdle } from '../../ui/base/lazy-on-idle.ts'
import { Skeleton } from '../../ui/base/loading.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { DescriptionList } from '../../ui/page/description-list.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { DepartmentsCard } from './departments-card.tsx'
import { listInstitutionDetails } from './institution-details.tsx'
import { InstitutionMark } from './institution-mark.tsx'
import { SAVED_MESSAGE } from './institution-values.ts'
import { OWN_INSTITUTIONS } from './institutions.queries.ts'

const OwnInstitutionSheet = lazyOnIdle(() => import('./own-institution-sheet.tsx'), 'OwnInstitutionSheet')

/** The stored data of the user's institutions, partly editable by the user. */
export function OwnInstitutionsTab() {
  const { data, error, refetch } = useQuery(OWN_INSTITUTIONS)
  const [editedId, setEditedId] = useState<string | null>(null)
  const edited = data?.ownInstitutions.find(({ id }) => id === editedId)
  if (error && !data) return <ErrorState onRetry={() => void refetch()}>{errorMessage(error)}</ErrorState>
  if (!data) return <Skeleton className="h-64 rounded-lg" />
  return (
    <div className="grid gap-6">
      {data.ownInstitutions.map((institution) => (
        <Fragment key={institution.id}>
          <Card
            title={institution.name}
            meta={(institution.logo || institution.accent) && <InstitutionMark institution={institution} />}
            actions={
              <Button
                icon="pencil"
                aria-label={`Editează: ${institution.name}`}
                onPress={() => setEditedId(institution.id)}
              >
                Editează
              </Button>
            }
          >
            <DescriptionList items={listInstitutionDetails(institution)} />
          </Card>
          <DepartmentsCard institutionId={institution.id} />
        </Fragment>
      ))}
      <p className="text-sm text-muted">Pentru denumire, cod și date fiscale, luați legătura cu noi.</p>
      {edited && (
        <OwnInstitutionSheet
          institution={edited}
          onClose={() => setEditedId(null)}
          onSaved={() => {
            setEditedId(null)
            showToast({ tone: 'success', title: SAVED_MESSAGE })
          }}
        />
      )}
    </div>
  )
}
