import type { Stories } from '../../catalogue/stories.ts'
import { Button } from '../base/button.tsx'
import { showToast, type Toast } from './toast.tsx'

const Shown = (toast: Toast) => <Button onPress={() => showToast(toast)}>Arată</Button>

export default {
  reușită: () => <Shown tone="success" title="Pacientul a fost salvat." />,
  'reușită de întors': () => (
    <Shown
      tone="success"
      title="Trimiterea a fost arhivată."
      action={{ label: 'Anulează', onAction: () => {} }}
    />
  ),
  informare: () => <Shown tone="info" title="Este o versiune nouă." description="Reîncarcă pagina." />,
  greșeală: () => <Shown tone="error" title="Nu s-a salvat" description="Verifică rețeaua." />,
} satisfies Stories
