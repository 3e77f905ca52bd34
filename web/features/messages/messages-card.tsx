import { useMutation } from '@apollo/client/react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { explainFailure } from '../../../shared/messages/explain-failure.ts'
import {
  isUndelivered,
  MESSAGE_STATE_NAMES,
  type MessageState,
} from '../../../shared/messages/message-states.ts'
import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { client } from '../../api/client.ts'
import { errorMessage } from '../../api/client-error.ts'
import { useListQuery } from '../../lists/use-list-query.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import type { IconName } from '../../ui/base/icon.tsx'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { StatusPill, type Tone } from '../../ui/page/status-pill.tsx'
import { type Column, Table } from '../../ui/page/table.tsx'
import { MailPreviews } from './mail-previews.tsx'
import {
  MESSAGES,
  type MessageRow,
  RETRY_MESSAGE,
  SEND_AGAIN,
  SEND_TEST_MESSAGE,
} from './messages.queries.ts'

const STATES: Record<MessageState, { icon: IconName; tone: Tone }> = {
  queued: { icon: 'clock', tone: 'info' },
  sent: { icon: 'check-circle', tone: 'success' },
  failed: { icon: 'error', tone: 'danger' },
  bounced: { icon: 'ban', tone: 'danger' },
}

const isKindToSendAgain = (kind: string): kind is keyof typeof SEND_AGAIN => Object.hasOwn(SEND_AGAIN, kind)

/**
 * Whether a failed mail can be sent again: one with a link to an account with a new link, a digest counted again, a kept
 * text as it was. A late notice of a change is of no use.
 */
const canSendAgain = ({ state, kind, userId, lastError, canRepeat }: MessageRow): boolean =>
  canRepeat ||
  (isUndelivered(state) && isKindToSendAgain(kind) && userId !== null && lastError !== 'suspended')

const columns = (
  onRead: (message: MessageRow) => void,
  onSendAgain: (message: MessageRow) => void,
): Column<MessageRow>[] => [
  { id: 'subject', header: 'Subiect', kind: 'title', cell: ({ subject }) => subject },
  { id: 'to', header: 'Către', cell: ({ recipient }) => <span className="break-all">{recipient}</span> },
  { id: 'at', header: 'Scris', cell: ({ createdAt }) => formatDateTime(createdAt) },
  {
    id: 'state',
    header: 'Stare',
    cell: ({ kind, state, lastError }) => {
      const { icon, tone } = STATES[state]
      // Its link exists nowhere else, so it cannot be sent again; one that has ended needs no other.
      const needsOther = kind === 'share' && isUndelivered(state) && lastError !== 'ended'
      return (
        <span className="inline-flex flex-wrap items-center gap-2">
          <StatusPill icon={icon} tone={tone}>
            {MESSAGE_STATE_NAMES[state]}
          </StatusPill>
          {lastError && (
            <span className="text-sm text-muted">
              {explainFailure(lastError)}
              {/^\d+$/.test(lastError) && ` (${lastError})`}
            </span>
          )}
          {needsOther && <span className="text-sm">Trimite alt link, de pe pagina pacientului.</span>}
        </span>
      )
    },
  },
  {
    id: 'actions',
    header: '',
    cell: (message) =>
      canSendAgain(message) ? (
        <Button
          icon="refresh"
          aria-label={`Trimite din nou: ${message.subject}, ${message.recipient}`}
          onPress={() => onSendAgain(message)}
        >
          Trimite din nou
        </Button>
      ) : message.body ? (
        <Button
          variant="quiet"
          aria-label={`Citește: ${message.subject}, ${message.recipient}`}
          onPress={() => onRead(message)}
        >
          Citește
        </Button>
      ) : (
        ''
      ),
  },
]

/**
 * Lists mail that is sent, waiting or failed; the text can be read only while no mail server is configured.
 */
export function MessagesCard() {
  const { undelivered = false } = useSearch({ from: '/admin-layout/admin' })
  const navigate = useNavigate({ from: '/admin' })
  const { page, more, region } = useListQuery(MESSAGES, (data) => data.messages, {
    variables: { undelivered },
  })
  const [sendTest, { loading }] = useMutation(SEND_TEST_MESSAGE, { refetchQueries: [MESSAGES] })
  const [reading, setReading] = useState<MessageRow | null>(null)
  const [isPreviewing, setPreviewing] = useState(false)

  const sendAgain = async ({ id, kind, userId, recipient }: MessageRow) => {
    try {
      if (isKindToSendAgain(kind) && userId !== null)
        await client.mutate({ mutation: SEND_AGAIN[kind], variables: { userId }, refetchQueries: [MESSAGES] })
      else await client.mutate({ mutation: RETRY_MESSAGE, variables: { id }, refetchQueries: [MESSAGES] })
      showToast({ tone: 'success', title: 'Mesaj nou pus la trimis', description: recipient })
    } catch (failure) {
      showToast({ tone: 'error', title: 'Mesajul nu a fost trimis', description: errorMessage(failure) })
    }
  }

  const test = async () => {
    try {
      const { data } = await sendTest()
      // The response has a text only if no mail server is configured.
      if (data?.sendTestMessage.body)
        showToast({
          tone: 'info',
          title: 'Mesajul așteaptă',
          description: 'Nu este configurat niciun server de e-mail.',
        })
      else showToast({ tone: 'success', title: `Mesaj de probă către ${data?.sendTestMessage.recipient}` })
    } catch (failure) {
      showToast({ tone: 'error', title: 'Mesajul nu a fost trimis', description: errorMessage(failure) })
    }
  }

  return (
    <Card
      title="Mesaje"
      flush
      actions={
        <>
          <Checkbox
            isSelected={undelivered}
            className="mr-2"
            onChange={(isSelected) =>
              void navigate({ search: { tab: 'mesaje', ...(isSelected && { undelivered: true }) } })
            }
          >
            {`Doar cele nereușite din ultimele ${LIMITS.alarmDays} zile`}
          </Checkbox>
          <Button icon="eye" onPress={() => setPreviewing(true)}>
            Ce mesaje trimite
          </Button>
          <Button icon="paper-plane" isPending={loading} onPress={() => void test()}>
            Trimite o probă
          </Button>
        </>
      }
    >
      <ListRegion {...region}>
        <Table
          label="Mesaje"
          columns={columns(setReading, (message) => void sendAgain(message))}
          rows={page?.nodes ?? null}
          rowId={({ id }) => id}
          empty={
            undelivered ? (
              <EmptyState icon="check-circle" title="Niciun mesaj nereușit">
                Toate mesajele din ultimele zile au plecat sau încă se încearcă.
              </EmptyState>
            ) : (
              <EmptyState icon="envelope" title="Niciun mesaj încă">
                Aici apar invitațiile, anunțurile despre rezultate și toate celelalte mesaje.
              </EmptyState>
            )
          }
          more={more}
        />
      </ListRegion>
      {isPreviewing && <MailPreviews onClose={() => setPreviewing(false)} />}
      <Dialog isOpen={reading !== null} onOpenChange={() => setReading(null)} title={reading?.subject ?? ''}>
        <p className="mb-3 text-sm text-muted">
          Nu este configurat niciun server de e-mail. Transmite textul la{' '}
          <span className="break-all">{reading?.recipient}</span>.
        </p>
        <pre className="rounded-lg border border-line bg-sunken px-4 py-3 font-sans text-sm break-words whitespace-pre-wrap">
          {reading?.body}
        </pre>
      </Dialog>
    </Card>
  )
}
