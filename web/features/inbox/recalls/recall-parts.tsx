import { useMutation } from '@apollo/client/react'
import { formatDateTime } from '../../../../shared/romania/romanian.ts'
import { errorMessage } from '../../../api/client-error.ts'
import { Button } from '../../../ui/base/button.tsx'
import { TextLink } from '../../../ui/base/link.tsx'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { ACKNOWLEDGE_RECALL, type Recall } from './recalls.queries.ts'

const resultSearch = (upload: string) =>
  ((search: Record<string, unknown>) => ({ ...search, upload })) as never

/** What a user of an institution has to do with a result that is not valid any more. */
export const RECALL_ADVICE = 'Nu îl folosiți; dacă l-ați tipărit, distrugeți-l.'

/** Says what happened to the result and when, with a link to the new version. */
export function RecallSentence({ recall: { kind, recalledAt, replacementId } }: { recall: Recall }) {
  const at = formatDateTime(recalledAt)
  if (kind === 'withdrawn')
    return (
      <>
        Retras la {at}. {RECALL_ADVICE}
      </>
    )
  return (
    <>
      Înlocuit la {at}. {RECALL_ADVICE}{' '}
      {replacementId && (
        <TextLink to="/institution" search={resultSearch(replacementId)} state resetScroll={false}>
          Deschideți versiunea nouă
        </TextLink>
      )}
    </>
  )
}

/** Lets a user say for the institution that they know; then says who has. */
export function Acknowledgement({ recall }: { recall: Recall }) {
  const { id, acknowledgedAt, acknowledgedByName } = recall
  const [acknowledge, { loading }] = useMutation(ACKNOWLEDGE_RECALL)
  if (acknowledgedAt) {
    return (
      <p className="text-sm text-muted">
        Luat la cunoștință la {formatDateTime(acknowledgedAt)}
        {acknowledgedByName && `, de ${acknowledgedByName}`}
      </p>
    )
  }
  const press = async () => {
    try {
      await acknowledge({ variables: { id } })
      showToast({ tone: 'success', title: 'Am transmis centrului că ați luat la cunoștință' })
    } catch (error) {
      showToast({ tone: 'error', title: 'Nu s-a transmis', description: errorMessage(error) })
    }
  }
  return (
    <Button icon="check" isPending={loading} onPress={() => void press()}>
      Am luat la cunoștință
    </Button>
  )
}
