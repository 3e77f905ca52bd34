import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { errorMessage } from '../../api/client-error.ts'
import { Skeleton } from '../../ui/base/loading.tsx'
import { Select } from '../../ui/options/select.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { MAIL_PREVIEWS } from './messages.queries.ts'

/** Shows each kind of mail as the site would write it now, with invented data. */
export function MailPreviews({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery(MAIL_PREVIEWS, { fetchPolicy: 'network-only' })
  const [kind, setKind] = useState('results')
  const shown = data?.mailPreviews.find((preview) => preview.kind === kind)
  return (
    <Dialog isOpen onOpenChange={onClose} title="Mesajele produsului">
      {error ? (
        <ErrorState onRetry={() => void refetch()}>{errorMessage(error)}</ErrorState>
      ) : !data ? (
        <Skeleton className="h-60" />
      ) : (
        <div className="grid gap-3">
          <Select
            label="Felul mesajului"
            options={data.mailPreviews.map(({ kind: id, name }) => ({ id, label: name }))}
            value={kind}
            onChange={(chosen) => setKind(chosen as string)}
          />
          <p className="text-sm text-muted">Cu date inventate. Niciun mesaj nu numește un pacient.</p>
          {shown && (
            <>
              <p className="font-medium break-words">{shown.subject}</p>
              <pre className="rounded-lg border border-line bg-sunken px-4 py-3 font-sans text-sm break-words whitespace-pre-wrap">
                {shown.text}
              </pre>
            </>
          )}
        </div>
      )}
    </Dialog>
  )
}
