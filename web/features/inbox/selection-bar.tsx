import { LIMITS } from '../../../shared/limits.ts'
import { counted } from '../../../shared/romania/romanian.ts'
import type { InboxView } from '../../../shared/uploads/inbox.ts'
import { Button } from '../../ui/base/button.tsx'
import { DownloadLink } from '../preview/download-link.tsx'
import type { Mark } from './inbox.queries.ts'
import type { Selection } from './use-selection.ts'

/**
 * What can be done with the chosen results at once. At the bottom of the window, so that the rows do not move under the
 * pointer when the first is chosen.
 */
export function SelectionBar({
  selection,
  view,
  onMark,
}: {
  selection: Selection
  view: InboxView | undefined
  onMark: (mark: Mark) => void
}) {
  const { ids, isTooLarge } = selection
  if (ids.length === 0) return null
  return (
    <section
      aria-label="Rezultatele alese"
      className="sticky-bar layer-bar sticky bottom-[calc(var(--bottom-bar,0px)+0.5rem)] mt-2 flex items-center gap-2 rounded-md border border-line-strong bg-raised px-3 py-1.5 shadow-lg max-xl:overflow-x-auto max-xl:*:shrink-0 print:hidden"
    >
      <p role="status" className="mr-auto text-sm font-medium">
        {counted(ids.length, 'rezultat ales', 'rezultate alese')}
        {isTooLarge && (
          <span className="block font-normal text-danger">
            Alegeți cel mult {LIMITS.inboxSelection} odată.
          </span>
        )}
      </p>
      {!isTooLarge && (
        <>
          <DownloadLink href={`/files/results/${ids.join(',')}`} variant="primary">
            Descarcă selecția
          </DownloadLink>
          <Button icon="user-check" onPress={() => onMark('take')}>
            Preia
          </Button>
          <Button icon="check" onPress={() => onMark('handle')}>
            Marchează rezolvate
          </Button>
          {view === 'handled' || view === 'all' ? (
            <Button variant="quiet" icon="undo" onPress={() => onMark('reopen')}>
              Redeschide
            </Button>
          ) : (
            <Button variant="quiet" icon="undo" onPress={() => onMark('put_back')}>
              Renunță la preluare
            </Button>
          )}
        </>
      )}
      <Button variant="quiet" icon="printer" onPress={() => window.print()}>
        Tipărește lista
      </Button>
      <Button variant="quiet" onPress={() => selection.setAll(false)}>
        Renunță
      </Button>
    </section>
  )
}
