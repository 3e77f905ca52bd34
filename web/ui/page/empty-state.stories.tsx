import type { Stories } from '../../catalogue/stories.ts'
import { Button } from '../base/button.tsx'
import { EmptyState, ErrorState } from './empty-state.tsx'

export default {
  'nimic încă': () => (
    <EmptyState icon="users" title="Niciun pacient încă" action={<Button icon="plus">Adaugă pacient</Button>}>
      Pacienții apar aici după prima trimitere.
    </EmptyState>
  ),
  'nimic găsit': () => <EmptyState icon="search" title="Nimic găsit" />,
  eroare: () => <ErrorState onRetry={() => {}} />,
  'eroare, se încearcă din nou': () => <ErrorState onRetry={() => {}} isRetrying />,
  'eroare fără întoarcere': () => (
    <ErrorState title="Fișierul nu mai este aici">A fost șters între timp.</ErrorState>
  ),
} satisfies Stories
