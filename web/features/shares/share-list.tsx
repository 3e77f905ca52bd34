import { useEffect, useRef, useState } from 'react'
import { isUndelivered } from '../../../shared/messages/message-states.ts'
import { counted, formatDateTime } from '../../../shared/romania/romanian.ts'
import {
  SHARE_CHANNEL_NAMES,
  SHARE_END_NAMES,
  SHARE_PROOF_NAMES,
  SHARE_RECIPIENT_NAMES,
} from '../../../shared/shares/shares.ts'
import { useListQuery } from '../../lists/use-list-query.ts'
import { Button } from '../../ui/base/button.tsx'
import { lazyOnIdle } from '../../ui/base/lazy-on-idle.ts'
import { TextLink } from '../../ui/base/link.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { LoadMore } from '../../ui/page/load-more.tsx'
import { StatusPill } from '../../ui/page/status-pill.tsx'
import { useListChanges } from '../site/use-list-changes.ts'
import { SHARES, type ShareRow } from './shares.queries.ts'

const EndSharesDialog = lazyOnIdle(() => import('./end-shares-dialog.tsx'), 'EndSharesDialog')
const ShareHistory = lazyOnIdle(() => import('./share-history.tsx'), 'ShareHistory')

type Opened = { kind: 'end'; ids: readonly string[] } | { kind: 'history'; id: string }

const NONE: readonly ShareRow[] = []

/** The links with results, live, of a patient or of all; one or several can be ended [3.2]. */
export function ShareList({ patientId }: { patientId?: string }) {
  const [state, setState] = useState<'live' | 'ended'>('live')
  const [isMine, setMine] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState<Opened | null>(null)
  const { page, reload, more, region } = useListQuery(SHARES, ({ shares }) => shares, {
    variables: { patientId: patientId ?? null, state, mine: isMine },
    fetchPolicy: 'cache-and-network',
  })
  useListChanges('SHARES', reload)
  const shares = page?.nodes ?? NONE
  const filter = useRef<HTMLButtonElement>(null)
  const hasEnded = useRef(false)
  // The button that had the focus has left the list with the ended link.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the list has changed
  useEffect(() => {
    if (!hasEnded.current || opened || document.activeElement !== document.body) return
    hasEnded.current = false
    filter.current?.focus()
  }, [shares, opened])
  const chosenIds = shares.filter(({ id, endedAt }) => !endedAt && chosen.has(id)).map(({ id }) => id)
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-3 py-1.5 sm:px-4 print:hidden">
        <fieldset className="flex flex-wrap gap-1">
          <legend className="sr-only">Ce linkuri</legend>
          {(['live', 'ended'] as const).map((each) => (
            <Button
              key={each}
              ref={each === state ? filter : null}
              variant={each === state ? 'secondary' : 'quiet'}
              aria-pressed={each === state}
              onPress={() => setState(each)}
            >
              {each === 'live' ? 'În vigoare' : 'Încheiate'}
            </Button>
          ))}
        </fieldset>
        {!patientId && (
          <Checkbox isSelected={isMine} onChange={setMine}>
            Doar ale mele
          </Checkbox>
        )}
        {chosenIds.length > 0 && (
          <Button icon="ban" className="ml-auto" onPress={() => setOpened({ kind: 'end', ids: chosenIds })}>
            Încheie {counted(chosenIds.length, 'link', 'linkuri')}
          </Button>
        )}
      </div>
      <ListRegion {...region}>
        {!page ? (
          <div role="status" aria-label="Se încarcă" className="px-4 py-4 sm:px-5">
            <Skeleton className="h-12" />
          </div>
        ) : shares.length === 0 ? (
          <p className="px-4 py-4 text-sm text-muted sm:px-5">
            {state === 'live' ? 'Niciun link în vigoare.' : 'Niciun link încheiat.'}
          </p>
        ) : (
          <ul className="divide-y divide-line">
            {shares.map((share) => (
              <ShareItem
                key={share.id}
                share={share}
                showPatient={!patientId}
                isChosen={chosen.has(share.id)}
                onChoose={(isChosen) => {
                  const next = new Set(chosen)
                  if (isChosen) next.add(share.id)
                  else next.delete(share.id)
                  setChosen(next)
                }}
                onEnd={() => setOpened({ kind: 'end', ids: [share.id] })}
                onHistory={() => setOpened({ kind: 'history', id: share.id })}
              />
            ))}
          </ul>
        )}
        <LoadMore {...more} />
      </ListRegion>
      {opened?.kind === 'end' && (
        <EndSharesDialog
          ids={opened.ids}
          onEnded={() => {
            hasEnded.current = true
          }}
          onClose={() => {
            setOpened(null)
            reload()
          }}
        />
      )}
      {opened?.kind === 'history' && <ShareHistory id={opened.id} onClose={() => setOpened(null)} />}
    </>
  )
}

function ShareItem({
  share,
  showPatient,
  isChosen,
  onChoose,
  onEnd,
  onHistory,
}: {
  share: ShareRow
  showPatient: boolean
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
  onEnd: () => void
  onHistory: () => void
}) {
  const { recipientKind, recipientName, createdByName, createdAt, expiresAt, channel, email, proof } = share
  const { openings, maxOpenings, reason, uploads, endedAt, mailState } = share
  const facts = [
    SHARE_RECIPIENT_NAMES[recipientKind],
    email ? `${SHARE_CHANNEL_NAMES[channel]}: ${email}` : SHARE_CHANNEL_NAMES[channel],
    SHARE_PROOF_NAMES[proof],
    `până la ${formatDateTime(expiresAt)}`,
    describeOpenings(openings, maxOpenings),
  ]
  return (
    <li className="flex flex-wrap items-start gap-x-3 px-4 py-2.5 sm:px-5">
      {!endedAt && (
        <Checkbox
          aria-label={`Alege linkul pentru ${recipientName}`}
          isSelected={isChosen}
          onChange={onChoose}
          className="-my-1"
        />
      )}
      <div className="min-w-0 flex-1 basis-60">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h3 className="font-semibold break-words">{recipientName}</h3>
          <ShareState share={share} />
        </div>
        <p className="flex flex-wrap gap-x-3 text-sm break-words text-muted">
          {facts.map((fact) => (
            <span key={fact} className="min-w-0">
              {fact}
            </span>
          ))}
        </p>
        {showPatient && (
          <p className="text-sm break-words">
            Rezultatele pacientului{' '}
            <TextLink to="/patients/$patientId" params={{ patientId: share.patientId }}>
              {share.patientName}
            </TextLink>
          </p>
        )}
        <p className="text-sm break-words">
          {uploads.map(({ title, number }) => `${title} (nr. ${number})`).join(', ')}
        </p>
        <p className="text-sm break-words text-muted">
          {createdByName}, {formatDateTime(createdAt)}: {reason}
        </p>
        {!endedAt && isUndelivered(mailState) && (
          <p className="text-sm break-words text-danger">
            E-mailul cu linkul nu a ajuns. Verifică adresa și trimite alt link.
          </p>
        )}
        {endedAt && <p className="text-sm break-words text-muted">{describeEnd(share)}</p>}
      </div>
      <div className="-mr-2 ml-auto flex flex-wrap justify-end">
        <Button variant="quiet" aria-label={`Istoric: linkul pentru ${recipientName}`} onPress={onHistory}>
          Istoric
        </Button>
        {!endedAt && (
          <Button variant="quiet" aria-label={`Încheie linkul pentru ${recipientName}`} onPress={onEnd}>
            Încheie
          </Button>
        )}
      </div>
    </li>
  )
}

function describeOpenings(openings: number, max: number | null): string {
  const limit = max === null ? '' : `, cel mult de ${counted(max, 'dată', 'ori')}`
  if (openings === 0) return `nedeschis${limit}`
  return openings === 1 ? `deschis o dată${limit}` : `deschis de ${counted(openings, 'dată', 'ori')}${limit}`
}

function describeEnd({ endedAt, endedWhy, endedByName, endedNote }: ShareRow): string {
  const why = endedWhy && endedWhy !== 'person' ? SHARE_END_NAMES[endedWhy] : `de ${endedByName ?? '–'}`
  return `Încheiat ${formatDateTime(endedAt!)}, ${why}${endedNote ? `: ${endedNote}` : ''}`
}

function ShareState({ share: { state, lockedUntil } }: { share: ShareRow }) {
  switch (state) {
    case 'live':
      return (
        <StatusPill icon="check-circle" tone="success">
          În vigoare
        </StatusPill>
      )
    case 'locked':
      return (
        <StatusPill icon="lock" tone="danger">
          Blocat{lockedUntil && ` până la ${formatDateTime(lockedUntil)}`}
        </StatusPill>
      )
    case 'closed':
      return (
        <StatusPill icon="warning" tone="warning">
          Nu se deschide: cine l-a făcut nu mai poate trimite, sau categoria nu se arată pacienților
        </StatusPill>
      )
    case 'expired':
      return <StatusPill icon="ban">Expirat</StatusPill>
    case 'ended':
      return <StatusPill icon="ban">Încheiat</StatusPill>
  }
}
