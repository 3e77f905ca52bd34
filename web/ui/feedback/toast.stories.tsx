import type { Stories } from '../../catalogue/stories.ts'
import { Button } from '../base/button.tsx'
import { showToast, type Toast } from './toast.tsx'

const ToastButton = (toast: Toast) => <Button onPress={() => showToast(toast)}>Arată</Button>

let close: (() => void) | null = null
/** Each message replaces the one before. */
const LastToastButton = (toast: Toast) => (
  <Button
    onPress={() => {
      close?.()
      close = showToast(toast)
    }}
  >
    Arată
  </Button>
)

export default {
  reușită: () => <ToastButton tone="success" title="Pacientul a fost salvat." />,
  'reușită de întors': () => (
    <ToastButton
      tone="success"
      title="Trimiterea a fost arhivată."
      action={{ label: 'Anulează', onAction: () => {} }}
    />
  ),
  'numai ultima': () => (
    <LastToastButton
      tone="success"
      title="Nr. 12 acceptată."
      action={{ label: 'Anulează', onAction: () => {} }}
    />
  ),
  informare: () => <ToastButton tone="info" title="Este o versiune nouă." description="Reîncarcă pagina." />,
  greșeală: () => <ToastButton tone="error" title="Nu s-a salvat" description="Verifică rețeaua." />,
} satisfies Stories
