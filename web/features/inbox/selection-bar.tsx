import { LIMITS } from '../../../shared/limits.ts'
import { counted } from '../../../shared/romania/romanian.ts'
import { Button } from '../../ui/base/button.tsx'
import { DownloadLink } from '../preview/download-link.tsx'
import type { Mark } from './inbox.queries.ts'
import type { Selection } from './use-selection.ts'

/** What can be done with the chosen results at once. */
export function SelectionBar({ selection, onMark }: { selection: Selection; onMark: (mark: Mark) => void }) {
  const { ids, isTooLarge } = selection
  if (ids.length === 0) return null
  return (
    <section
      aria-label="Rezultatele alese"
      className="mb-2 flex flex-wrap items-center gap-2 rounded-md border border-line bg-raised px-3 py-1.5 print:hidden"
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
          <Button variant="quiet" icon="undo" onPress={() => onMark('put_back')}>
            Renunță la preluare
          </Button>
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
