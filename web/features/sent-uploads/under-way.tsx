import { useQuery } from '@apollo/client/react'
import { counted, formatDate } from '../../../shared/romania/romanian.ts'
import { Alert } from '../../ui/feedback/alert.tsx'
import { useLiveUploads } from '../uploads/use-live-uploads.ts'
import { UNDER_WAY } from './sent-uploads.queries.ts'

/** Says how many examinations of the patient, ordered by the institution, are not released yet. */
export function UnderWay({ patientId }: { patientId: string }) {
  const { data, refetch } = useQuery(UNDER_WAY, { variables: { patientId }, fetchPolicy: 'network-only' })
  useLiveUploads(() => void refetch().catch(() => undefined), { patientId })
  const underWay = data?.patient.underWay ?? []
  if (underWay.length === 0) return null
  return (
    <Alert
      tone="info"
      icon="pending"
      title={`În lucru la centru: ${counted(underWay.length, 'examinare', 'examinări')}`}
      className="mb-5"
    >
      <ul>
        {underWay.map(({ filedOn, categoryName }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows have nothing that names them
          <li key={place}>
            {categoryName ?? 'Examinare'}, primită {formatDate(filedOn)}
          </li>
        ))}
      </ul>
    </Alert>
  )
}
