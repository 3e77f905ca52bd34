import { useUser } from '../../session/use-session.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'

/** Shown instead of results to a user without the feature `patient::files` [3.2]. */
export function FilesOff() {
  return useUser().role === 'institution' ? (
    <EmptyState icon="documents" title="Organizația a oprit fișierele pacienților">
      Rezultatele nu se pot vedea acum. Nu s-a șters nimic: apar din nou aici când organizația le pornește.
    </EmptyState>
  ) : (
    <EmptyState icon="documents" title="Nu ai acces la fișierele pacienților">
      Funcția este oprită pentru toți sau nu face parte din drepturile tale. Un administrator o poate porni.
    </EmptyState>
  )
}
