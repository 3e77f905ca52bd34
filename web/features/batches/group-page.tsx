import { useState } from 'react'
import { COMPARED_FACT_NAMES } from '../../../shared/reviews/holds.ts'
import { formatDate } from '../../../shared/romania/romanian.ts'
import type { FactPlace } from '../../../shared/uploads/file-facts.ts'
import { isAccepted } from '../../../shared/uploads/files.ts'
import { Icon, type IconName } from '../../ui/base/icon.tsx'
import { Spinner } from '../../ui/base/loading.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { describePlace, pageOf } from '../preview/describe-place.ts'
import { FilePreview } from '../preview/file-preview.tsx'
import { mergeMarks } from '../preview/marks.ts'
import type { Mark } from '../preview/page-marks.tsx'
import type { BatchGroup, DraftFact, GroupCheck } from './batches.queries.ts'

type File = BatchGroup['upload']['files'][number]

/** A file of a group: what was found in it, and its page with the found places marked. */
export function GroupPage({
  file,
  check,
  facts,
  content,
  isOwn,
  isLoading,
}: {
  file: File
  /** undefined until it is loaded, and of a file that was checked. */
  check: GroupCheck | undefined
  facts: readonly DraftFact[]
  /** The content, if this page has sent the file. */
  content: Blob | undefined
  isOwn: boolean
  isLoading: boolean
}) {
  const [target, setTarget] = useState<{ page: number } | null>(null)
  const isRead = isOwn && (check?.state === 'READ' || check?.state === 'UNREADABLE')
  const isPage = file.kind === 'pdf' || file.kind === 'image'
  const hasPage =
    isAccepted(file.scanResult) ||
    (isPage && check?.unreadable !== 'locked' && (content !== undefined || isRead))
  return (
    <>
      {facts.length > 0 && <FoundFacts facts={facts} onShow={hasPage ? setTarget : undefined} />}
      {hasPage ? (
        <FilePreview
          file={file}
          content={content}
          isRead={isRead}
          marks={listMarks(facts)}
          target={target}
          className="h-[60dvh] min-h-80 border-t border-line"
        />
      ) : isLoading ? (
        <Spinner className="m-auto my-16 text-muted" />
      ) : (
        <EmptyState icon="eye-off" title="Fără pagină" className="border-t border-line">
          {whyNoPage({ check, isOwn, isPage })}
          {facts.length > 0 && ' Mai sus este ce s-a citit din el.'}
        </EmptyState>
      )}
    </>
  )
}

function whyNoPage({
  check,
  isOwn,
  isPage,
}: {
  check: GroupCheck | undefined
  isOwn: boolean
  isPage: boolean
}): string {
  if (!check) return AFTER_CHECK
  if (check.state === 'WAITING') return 'Fișierul se citește; se vede după aceea.'
  if (check.state === 'REFUSED') return check.refusal?.sentence ?? 'Fișierul va fi refuzat la control.'
  if (check.unreadable === 'locked') return 'Documentul se deschide numai cu parolă.'
  if (!isPage) return 'Acest fel de fișier nu se poate afișa înainte de control.'
  return isOwn
    ? AFTER_CHECK
    : 'Până la controlul automat, fișierul este afișat doar persoanei care l-a trimis.'
}

const AFTER_CHECK = 'Fișierul se vede după controlul automat.'

const FACT_NAMES: Readonly<Partial<Record<DraftFact['fact']['kind'], string>>> = {
  cnp: COMPARED_FACT_NAMES.cnp,
  name: COMPARED_FACT_NAMES.name,
  birth_date: COMPARED_FACT_NAMES['birth-date'],
  accession: 'Nr. examinare',
  examined_on: 'Data examinării',
  doctor: 'Medic',
  institution: 'Instituție',
}

const AGREEMENTS: Record<'true' | 'false' | 'null', { icon: IconName; tone: string; text: string }> = {
  true: { icon: 'check-circle', tone: 'text-success', text: 'se potrivește' },
  false: { icon: 'error', tone: 'text-danger', text: 'nu se potrivește' },
  null: { icon: 'minus', tone: 'text-muted', text: '' },
}

/** What was found in a file, each value once, with its first place. */
function FoundFacts({
  facts,
  onShow,
}: {
  facts: readonly DraftFact[]
  onShow: ((target: { page: number }) => void) | undefined
}) {
  const values = Map.groupBy(facts, ({ fact: { kind, value }, agrees }) => `${kind} ${value} ${agrees}`)
  return (
    <ul
      aria-label="Găsit în fișier"
      className="grid max-h-40 max-xl:max-h-24 shrink-0 gap-1 overflow-y-auto border-t border-line px-4 py-2 text-sm"
    >
      {[...values].map(([key, [first]]) => {
        const { fact, agrees } = first!
        const { icon, tone, text } = AGREEMENTS[`${agrees}`]
        const page = pageOf(fact.place)
        const isDay = fact.kind === 'birth_date' || fact.kind === 'examined_on'
        const said = `${isDay ? formatDate(fact.value) : fact.value}${describePlace(fact.place)}`
        return (
          <li key={key} className="flex gap-2">
            <Icon name={icon} size={16} className={`mt-0.5 ${tone}`} label={text || undefined} />
            <span className="min-w-0 break-words">
              <span className="text-muted">{FACT_NAMES[fact.kind]}:</span>{' '}
              {onShow && page !== undefined ? (
                <button
                  type="button"
                  className="text-start underline underline-offset-4 tabular-nums"
                  onClick={() => onShow({ page })}
                >
                  {said}
                </button>
              ) : (
                <span className="tabular-nums">{said}</span>
              )}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** Returns the places on the pages of the file itself. */
const listMarks = (facts: readonly DraftFact[]): Mark[] =>
  mergeMarks(
    facts.flatMap(({ fact, agrees }) => {
      const { entry, page, box } = fact.place as FactPlace
      return entry === undefined && page !== undefined && box ? [{ page, box, agrees }] : []
    }),
  )
