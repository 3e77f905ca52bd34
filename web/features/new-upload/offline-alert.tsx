import { Alert } from '../../ui/feedback/alert.tsx'

/** Says that files wait for the network. */
export const OfflineAlert = ({ title }: { title: string }) => (
  <Alert tone="warning" isLive icon="offline" title={title}>
    Continuă singură, de unde a rămas, când revine rețeaua. Nu închide pagina.
  </Alert>
)
