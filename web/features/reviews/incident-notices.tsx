import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { TextLink } from '../../ui/base/link.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import type { Upload } from './upload.queries.ts'

/** Leads from an upload that was released for the wrong patient, or to the wrong institution, to the incidents. */
export function IncidentNotices({ incidents }: Pick<Upload, 'incidents'>) {
  return incidents.map(({ id, number, movedAt, isWrongInstitution }) => (
    <Alert
      key={id}
      tone="warning"
      title={
        isWrongInstitution ? 'A fost eliberată către altă instituție' : 'A fost eliberată pentru alt pacient'
      }
    >
      {isWrongInstitution ? 'Corectată' : 'Mutată'} pe {formatDateTime(movedAt)}.{' '}
      <TextLink to="/incidents/$incidentId" params={{ incidentId: id }}>
        {`Incidentul nr. ${number}`}
      </TextLink>
    </Alert>
  ))
}
