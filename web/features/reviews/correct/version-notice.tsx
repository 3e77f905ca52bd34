import { formatDateTime } from '../../../../shared/romania/romanian.ts'
import { UPLOAD_STATE_NAMES } from '../../../../shared/uploads/upload-states.ts'
import { TextLink } from '../../../ui/base/link.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import type { Upload } from '../upload.queries.ts'

/** Links an upload with the version that it replaces and with the one that replaces it. */
export function VersionNotice({ upload: { state, stateSince, replaces, replacedBy } }: { upload: Upload }) {
  return (
    <>
      {replacedBy && (
        <Alert
          tone={state === 'replaced' ? 'warning' : 'info'}
          icon="history"
          title={
            state === 'replaced'
              ? `Înlocuită la ${formatDateTime(stateSince)}`
              : 'Are o versiune nouă în lucru'
          }
        >
          Versiunea nouă: <VersionLink version={replacedBy} />.
          {state === 'replaced' && ' Pe aceasta o mai vede doar personalul.'}
          {state === 'released' && ' Instituția o vede pe aceasta până se eliberează cea nouă.'}
        </Alert>
      )}
      {replaces && (
        <p className="text-sm">
          {state === 'released' ? 'A înlocuit' : 'Înlocuiește la eliberare'}{' '}
          <VersionLink version={replaces} />.
        </p>
      )}
    </>
  )
}

const VersionLink = ({ version: { id, number, state } }: { version: NonNullable<Upload['replaces']> }) => (
  <>
    <TextLink to="/uploads/$uploadId" params={{ uploadId: id }}>
      nr. {number}
    </TextLink>{' '}
    ({UPLOAD_STATE_NAMES[state]})
  </>
)
