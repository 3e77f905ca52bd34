import { useMutation, useQuery } from '@apollo/client/react'
import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { useListQuery } from '../../lists/use-list-query.ts'
import { Button, LinkButton } from '../../ui/base/button.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { EmptyState, ErrorState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { type Column, Table } from '../../ui/page/table.tsx'
import { useListChanges } from '../site/use-list-changes.ts'
import { CloseButton, MessageForm, MessageList, useGuardedDraft } from './conversation.tsx'
import { QuestionStatePill } from './question-state.tsx'
import { ASK_QUESTION, OWN_QUESTIONS, type OwnQuestion, QUESTION } from './questions.queries.ts'
import { RESULT_COLUMN } from './result-column.ts'
import { useMarkRead } from './use-mark-read.ts'

const COLUMNS: readonly Column<OwnQuestion>[] = [
  RESULT_COLUMN,
  {
    id: 'changed',
    header: 'Ultima schimbare',
    className: 'whitespace-nowrap tabular-nums',
    cell: ({ changedAt }) => formatDateTime(changedAt),
  },
  { id: 'messages', header: 'Mesaje', align: 'end', cell: ({ messageCount }) => messageCount },
  {
    id: 'state',
    header: 'Stare',
    cell: ({ state, isUnread }) => <QuestionStatePill state={state} isUnread={isUnread} />,
  },
]

/** Lists what the user's institutions have asked; the open question is in the address. */
export function OwnQuestions({ openId, onClose }: { openId: string | null; onClose: () => void }) {
  const { page, more, region, reload } = useListQuery(OWN_QUESTIONS, (data) => data.ownQuestions, {
    variables: {},
    fetchPolicy: 'cache-and-network',
  })
  useListChanges('QUESTIONS', reload)
  return (
    <>
      <ListRegion {...region}>
        <Table
          label="Întrebări"
          columns={COLUMNS}
          rows={page?.nodes ?? null}
          rowId={({ id }) => id}
          rowLink={({ id }) => ({ to: '/institution', search: { tab: 'intrebari', question: id } })}
          empty={
            <EmptyState icon="help" title="Nu ați întrebat nimic încă">
              Deschideți un rezultat și apăsați „Întrebați centrul”. Răspunsul apare și aici.
            </EmptyState>
          }
          more={more}
        />
      </ListRegion>
      {openId && <QuestionDialog key={openId} id={openId} onClose={onClose} />}
    </>
  )
}

/** A question with its answers, also about a result that the institution no longer sees. */
function QuestionDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(QUESTION, { variables: { id }, fetchPolicy: 'cache-and-network' })
  const [ask] = useMutation(ASK_QUESTION)
  const reload = () => void refetch().catch(() => undefined)
  useListChanges('QUESTIONS', reload)
  const question = data?.question
  useMarkRead(question)
  const { draft, warning } = useGuardedDraft()
  const close = () => warning.leave(onClose)
  const result = question?.upload
  return (
    <Dialog
      title={question ? `Întrebare despre rezultatul nr. ${question.uploadNumber}` : 'Întrebare'}
      isOpen
      onOpenChange={(open) => !open && close()}
      actions={
        <>
          <Button onPress={close}>Închide</Button>
          {result && (
            <LinkButton to="/institution" search={{ upload: result.id }} variant="primary">
              Deschide rezultatul
            </LinkButton>
          )}
        </>
      }
    >
      {question ? (
        <div className="grid gap-4">
          <div>
            <QuestionStatePill state={question.state} />
          </div>
          {!result && (
            <Alert tone="info" title="Rezultatul nu mai este disponibil">
              Întrebările și răspunsurile rămân aici, dar nu mai puteți scrie altele.
            </Alert>
          )}
          <MessageList messages={question.messages} />
          <CloseButton question={question} canWrite={result !== null} />
          {result && (
            <MessageForm
              draft={draft}
              label="Mesaj nou"
              submitLabel="Trimiteți mesajul"
              onSend={(text) => ask({ variables: { uploadId: result.id, text } })}
            />
          )}
        </div>
      ) : error ? (
        <ErrorState onRetry={reload}>{errorMessage(error)}</ErrorState>
      ) : (
        <Skeleton className="h-40" />
      )}
      {warning.dialog}
    </Dialog>
  )
}
