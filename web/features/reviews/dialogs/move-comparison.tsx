import { useQuery } from '@apollo/client/react'
import { errorMessage } from '../../../api/client-error.ts'
import { useForm } from '../../../forms/core/form.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { ComparisonLine } from '../comparison/comparison-lines.tsx'
import { MOVE_COMPARISON } from '../upload.queries.ts'
import { AcceptReasonFields } from './accept-reason-fields.tsx'

/** Shows how the files agree with the patient chosen in the form, and asks for a reason where they do not. */
export function MoveComparison({ uploadId }: { uploadId: string }) {
  const { patientId } = useForm<{ patientId: string | null }>().values
  const { data, error } = useQuery(MOVE_COMPARISON, {
    variables: { uploadId, patientId: patientId ?? '' },
    skip: !patientId,
    fetchPolicy: 'network-only',
  })
  if (!patientId) return null
  if (error)
    return (
      <Alert tone="danger" title="Fișierele nu s-au comparat cu pacientul ales">
        {errorMessage(error)}
      </Alert>
    )
  if (!data) return null
  const { lines, holds } = data.moveComparison
  const names = new Map(holds.map(({ fileId, fileName }) => [fileId, fileName]))
  return (
    <>
      <section aria-label="Fișierele și pacientul ales">
        <p className="text-sm font-medium">Ce scrie în fișiere despre pacientul ales</p>
        <ul className="mt-1.5 grid gap-1.5 text-sm">
          {lines.map((line) => (
            <ComparisonLine key={line.what} line={line} names={names} />
          ))}
        </ul>
      </section>
      {holds.length > 0 && (
        <AcceptReasonFields
          name="despite"
          commentName="despiteComment"
          isFirst={false}
          label="De ce sunt totuși ale lui"
          help="Rămâne în incident, cu numele tău."
        />
      )}
    </>
  )
}
