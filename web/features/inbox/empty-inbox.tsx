import type { InboxFilters } from '../../../shared/uploads/inbox.ts'
import { Button } from '../../ui/base/button.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'

const VIEW_TEXTS: Partial<Record<NonNullable<InboxFilters['view']>, { title: string; text: string }>> = {
  open: { title: 'Nimic de rezolvat', text: 'Rezultatele noi apar aici de îndată ce sunt eliberate.' },
  new: { title: 'Niciun rezultat nou', text: 'Cele noi apar aici de îndată ce sunt eliberate.' },
  mine: {
    title: 'Nu ați preluat niciun rezultat',
    text: 'Preluați un rezultat cu P sau din lista celor noi.',
  },
  handled: { title: 'Niciun rezultat rezolvat', text: 'Aici apar rezultatele marcate rezolvate.' },
  older: {
    title: 'Niciun rezultat mai vechi',
    text: 'Toate rezultatele mai vechi sunt preluate sau rezolvate.',
  },
}

/** Shown instead of the list if it has no results. */
export function EmptyInbox({
  filters,
  isNarrowed,
  onShowAll,
}: {
  filters: InboxFilters
  /** Whether a search or the user's own department leaves results out, too. */
  isNarrowed: boolean
  onShowAll: () => void
}) {
  const showAll = <Button onPress={onShowAll}>Arată toate rezultatele</Button>
  const { view, ...narrowing } = filters
  if (Object.keys(narrowing).length > 0 || isNarrowed)
    return (
      <EmptyState icon="search" title="Niciun rezultat găsit" action={showAll}>
        Căutați după câteva litere din numele sau prenumele pacientului, ori renunțați la filtre și la secție.
      </EmptyState>
    )
  const texts = view && VIEW_TEXTS[view]
  if (texts)
    return (
      <EmptyState icon="check-circle" title={texts.title} action={showAll}>
        {texts.text}
      </EmptyState>
    )
  return (
    <EmptyState icon="inbox" title="Nu ați primit încă rezultate">
      Rezultatele pacienților trimiși de dumneavoastră apar aici de îndată ce sunt eliberate.
    </EmptyState>
  )
}
