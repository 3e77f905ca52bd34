import type { RefObject } from 'react'
import { formatDate, formatDateTime } from '../../../../shared/romania/romanian.ts'
import { IconButton } from '../../../ui/base/button.tsx'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { DialogTitle } from '../../../ui/overlays/dialog.tsx'
import { Menu, type MenuItem } from '../../../ui/overlays/menu.tsx'
import { ResultQuestions } from '../../questions/result-questions.tsx'
import { describeBirth } from '../../uploads/describe-birth.ts'
import type { Result } from '../inbox.queries.ts'
import { InboxStateMark } from '../inbox-state-mark.tsx'
import { type MarkCommand, ResultMark } from './result-mark.tsx'

export interface Navigation {
  /** The place of the result in the list, from 0; null if the list does not have it. */
  position: { place: number; count: number; isCut: boolean } | null
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
  onClose: () => void
}

/** Whose the open result is and what it is, in two lines, with the way to the next one. */
export function ResultHeader({
  result,
  isLost,
  marks,
  position,
  onPrevious,
  onNext,
  onClose,
}: {
  result: Result | undefined
  isLost: boolean
  marks: RefObject<((command: MarkCommand) => void) | null>
} & Navigation) {
  const name = isLost ? 'Nu mai este valabil' : (result?.patient?.name ?? 'Rezultat')
  return (
    // On a phone the person and the examination have lines of their own below the buttons.
    <header className="flex shrink-0 items-center border-b border-line bg-surface px-2 py-1.5 max-sm:flex-wrap sm:gap-1 sm:px-3 print:hidden">
      <div className="min-w-0 flex-1 px-1">
        <div className="flex min-w-0 items-baseline gap-2">
          <DialogTitle className="leading-tight font-semibold break-words max-sm:text-sm sm:truncate">
            {name}
          </DialogTitle>
          <span className="min-w-0 truncate text-sm text-muted tabular-nums max-sm:hidden">
            {result && describePerson(result)}
          </span>
        </div>
        {result && (
          <p className="truncate text-sm text-muted max-sm:hidden">
            <Examination result={result} />
          </p>
        )}
      </div>
      {/* A colleague may take or handle it while it is open. */}
      <div role="status" className="max-w-56 min-w-0 empty:hidden max-sm:hidden">
        {result && <InboxStateMark result={result} />}
      </div>
      {position && (
        <span className="px-1 text-sm whitespace-nowrap text-muted tabular-nums max-sm:sr-only" role="status">
          <span className="sr-only">{name}, </span>
          {position.place + 1} din {position.count}
          {position.isCut && '+'}
        </span>
      )}
      <IconButton
        icon="chevron-left"
        label="Rezultatul anterior (K)"
        isDisabled={!onPrevious}
        {...(onPrevious ? { onPress: onPrevious } : {})}
      />
      <IconButton
        icon="chevron-right"
        label="Rezultatul următor (J)"
        isDisabled={!onNext}
        {...(onNext ? { onPress: onNext } : {})}
      />
      {result?.inbox?.state && (
        <span className="max-sm:order-1">
          <ResultMark key={result.id} result={result} marks={marks} />
        </span>
      )}
      {result && <ResultQuestions key={result.id} uploadId={result.id} />}
      {result && <DetailsMenu result={result} />}
      <IconButton icon="close" label="Închide" onPress={onClose} />
      {result && (
        <div className="w-[calc(100%-3rem)] px-1 text-[0.8125rem] text-muted sm:hidden">
          <div className="flex items-center gap-2">
            <p className="min-w-0 flex-1 truncate tabular-nums">{describePerson(result)}</p>
            <div role="status" className="-my-1 max-w-1/2 min-w-0 empty:hidden">
              <InboxStateMark result={result} />
            </div>
          </div>
          <p className="truncate">
            <Examination result={result} />
          </p>
        </div>
      )}
    </header>
  )
}

const Examination = ({ result }: { result: Result }) => (
  <>
    <span className="font-medium text-ink">{result.title}</span>
    {describeExamination(result).map((each) => ` · ${each}`)}
  </>
)

/** All details, also those that the header has no room for, and what of them can be copied. */
function DetailsMenu({ result }: { result: Result }) {
  const { patient, accessionNumber } = result
  const items = [
    ...(patient ? [copyItem('numele', patient.name)] : []),
    ...(patient?.birthDate ? [copyItem('data nașterii', formatDate(patient.birthDate))] : []),
    ...(accessionNumber ? [copyItem('numărul examinării', accessionNumber)] : []),
  ]
  return (
    <Menu
      label="Detalii și copiere"
      trigger={<IconButton icon="copy" label="Detalii și copiere" />}
      header={
        <div className="grid max-w-72 gap-1 text-sm break-words">
          <p className="font-medium">{patient?.name}</p>
          <p className="text-muted">{describePerson(result)}</p>
          <p>{result.title}</p>
          {describeExamination(result).map((each) => (
            <p key={each} className="text-muted">
              {each}
            </p>
          ))}
        </div>
      }
      sections={[{ items }]}
    />
  )
}

const copyItem = (what: string, text: string): MenuItem => ({
  id: what,
  label: `Copiază ${what}`,
  icon: 'copy',
  onAction: () =>
    void navigator.clipboard.writeText(text).then(
      () => showToast({ tone: 'success', title: `Copiat: ${what}` }),
      () => showToast({ tone: 'error', title: 'Navigatorul nu a permis copierea' }),
    ),
})

const describePerson = ({ patient }: Result): string =>
  [
    patient?.birthDate && describeBirth(patient.sex, patient.birthDate),
    patient?.cnpMasked && `CNP ${patient.cnpMasked}`,
  ]
    .filter(Boolean)
    .join(' · ')

const describeExamination = ({
  title,
  category,
  examinedOn,
  accessionNumber,
  referringDoctor,
  releasedAt,
}: Result): string[] =>
  [
    category && category.name !== title && category.name,
    examinedOn && `examinare din ${formatDate(examinedOn)}`,
    accessionNumber && `nr. examinare ${accessionNumber}`,
    referringDoctor,
    releasedAt && `primit ${formatDateTime(releasedAt)}`,
  ].filter((each): each is string => Boolean(each))
