import { useMutation, useQuery } from '@apollo/client/react'
import { DELIVERY_NAMES, type Delivery, narrowerDeliveries } from '../../../shared/site/setting-bounds.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Skeleton } from '../../ui/base/loading.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { Select } from '../../ui/options/select.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { CHOOSE_DELIVERY, OWN_DELIVERIES } from './own-account.queries.ts'

/** How often the user gets mail about the results of each of their institutions: as the institution, or less often. */
export function OwnDeliveries() {
  const { data, error, refetch } = useQuery(OWN_DELIVERIES, { fetchPolicy: 'cache-and-network' })
  const [choose, { loading }] = useMutation(CHOOSE_DELIVERY, { refetchQueries: [OWN_DELIVERIES] })
  if (error && !data) return <ErrorState onRetry={() => void refetch()}>{errorMessage(error)}</ErrorState>
  if (!data) return <Skeleton className="h-16" />
  const save = async (institutionId: string, delivery: Delivery | null) => {
    try {
      await choose({ variables: { institutionId, delivery } })
      showToast({ tone: 'success', title: 'Alegerea este salvată' })
    } catch (failure) {
      showToast({ tone: 'error', title: 'Alegerea nu este salvată', description: errorMessage(failure) })
    }
  }
  return (
    <div className="grid gap-4">
      {data.memberships.map(({ institutionId, institutionName, institutionDelivery, delivery }) =>
        institutionDelivery === 'none' ? (
          <p key={institutionId} className="text-sm text-muted">
            {institutionName} nu primește mesaje despre rezultatele noi.
          </p>
        ) : (
          <Select<Delivery>
            key={institutionId}
            label={institutionName}
            isDisabled={loading}
            value={delivery}
            options={[institutionDelivery, ...narrowerDeliveries(institutionDelivery)].map((id) => ({
              id,
              label: id === institutionDelivery ? `${DELIVERY_NAMES[id]}, ca instituția` : DELIVERY_NAMES[id],
            }))}
            onChange={(chosen) =>
              void save(institutionId, chosen === institutionDelivery ? null : (chosen as Delivery))
            }
          />
        ),
      )}
      <p className="text-sm text-muted">
        Doar pentru dumneavoastră. Despre un rezultat pe care l-ați deschis și care a fost retras primiți
        mesaj oricum.
      </p>
    </div>
  )
}
