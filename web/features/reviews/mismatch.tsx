import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/text-field.tsx'
import type { Upload } from './upload.queries.ts'

const FORM = 'mismatch-form'

type Mismatches = Upload['mismatches']

/** A file names somebody else than the patient: said before anybody reaches for the verdict. */
export function MismatchAlert({
  mismatches,
  onShow,
}: {
  mismatches: Mismatches
  onShow: (fileId: string) => void
}) {
  return (
    <Alert tone="danger" title="Alt CNP în document" icon="user-x">
      <MismatchList mismatches={mismatches} onShow={onShow} />
    </Alert>
  )
}

function MismatchList({ mismatches, onShow }: { mismatches: Mismatches; onShow?: (fileId: string) => void }) {
  return (
    <ul className="grid gap-1">
      {mismatches.map(({ fileId, fileName, cnpMasked }) => (
        <li key={`${fileId} ${cnpMasked}`} className="break-words">
          <span className="font-medium tabular-nums">{cnpMasked}</span> în{' '}
          {onShow ? (
            <button
              type="button"
              className="rounded-xs text-start underline underline-offset-2"
              onClick={() => onShow(fileId)}
            >
              {fileName}
            </button>
          ) : (
            fileName
          )}
        </li>
      ))}
    </ul>
  )
}

/** Accepting all the same needs a reason, which stays with the verdict. */
export function MismatchDialog({
  upload: { number, patient, mismatches },
  onAccept,
  onClose,
}: {
  upload: Pick<Upload, 'number' | 'patient' | 'mismatches'>
  onAccept: (reason: string) => Promise<void>
  onClose: () => void
}) {
  const [reason, setReason] = useState('')
  const [isSending, setSending] = useState(false)
  const [wasTried, setTried] = useState(false)

  const send = async () => {
    setTried(true)
    if (isSending || reason.trim() === '') return
    setSending(true)
    await onAccept(reason.trim())
    setSending(false)
  }
  return (
    <Dialog
      title={`Accepți încărcarea nr. ${number}?`}
      role="alertdialog"
      isOpen
      isDismissable={false}
      onOpenChange={(open) => !open && onClose()}
      actions={
        <>
          <Button onPress={onClose}>Anulează</Button>
          <Button type="submit" form={FORM} variant="danger" isPending={isSending}>
            Acceptă totuși
          </Button>
        </>
      }
    >
      <form
        id={FORM}
        noValidate
        className="grid gap-4"
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void send()
        }}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
          event.preventDefault()
          void send()
        }}
      >
        <div className="grid gap-2 text-sm">
          <p>
            Rezultatul este al pacientului <span className="font-semibold">{patient?.name}</span>, dar în
            document este CNP-ul altcuiva:
          </p>
          <MismatchList mismatches={mismatches} />
        </div>
        <TextArea
          label="De ce este corect așa"
          help="Rămâne lângă verdict, cu numele tău. Ctrl Enter trimite."
          autoFocus
          rows={3}
          isRequired
          maxLength={LIMITS.longText}
          value={reason}
          onChange={setReason}
          error={
            wasTried && reason.trim() === ''
              ? 'Scrie de ce este corect, sau anulează și schimbă pacientul.'
              : null
          }
        />
      </form>
    </Dialog>
  )
}
