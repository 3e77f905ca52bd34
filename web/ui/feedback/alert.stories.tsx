import type { Stories } from '../../catalogue/stories.ts'
import { Button } from '../base/button.tsx'
import { Alert } from './alert.tsx'

export default {
  informare: () => <Alert tone="info">Trimiterea este la verificare.</Alert>,
  reușită: () => (
    <Alert tone="success" title="Salvat">
      Instituția vede rezultatul de acum.
    </Alert>
  ),
  avertizare: () => (
    <Alert tone="warning" title="CNP-ul din document este altul" actions={<Button>Compară</Button>}>
      În pagina 1 scrie 2850403123456.
    </Alert>
  ),
  pericol: () => (
    <Alert tone="danger" title="Nu s-a salvat" isLive>
      Verificați conexiunea și încercați din nou.
    </Alert>
  ),
  'cu altă pictogramă': () => (
    <Alert tone="info" icon="offline" title="Fără rețea">
      Ce ai scris se trimite când revine conexiunea.
    </Alert>
  ),
} satisfies Stories
