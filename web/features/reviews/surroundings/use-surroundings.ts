import { useQuery } from '@apollo/client/react'
import { useFeature } from '../../../session/use-session.ts'
import { UPLOAD_SURROUNDINGS, type Upload } from '../upload.queries.ts'

/**
 * What is around an upload: one component asks for it anew (`network-only`) for each upload that is shown, and the other reads
 * it (`cache-only`), so that its arrival renders no more than these two.
 */
export function useSurroundings({ id, state }: Upload, fetchPolicy: 'network-only' | 'cache-only') {
  const isReviewer = useFeature('admin::review-files')
  const withQuestions = useFeature('patient::files')
  const withPlace = isReviewer && state === 'in_review'
  const { data, previousData, refetch } = useQuery(UPLOAD_SURROUNDINGS, {
    variables: { uploadId: id, withPlace, withQuestions },
    fetchPolicy,
    nextFetchPolicy: fetchPolicy === 'cache-only' ? 'cache-only' : 'cache-first',
    skip: !withPlace && !withQuestions,
  })
  return {
    place: data?.reviewPlace ?? null,
    // Also while they are asked for again, after a change of the state: an answer may be half written.
    questions: (data ?? previousData)?.questions ?? [],
    reload: () => {
      if (withQuestions) void refetch().catch(() => undefined)
    },
  }
}
