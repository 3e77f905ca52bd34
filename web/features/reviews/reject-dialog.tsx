import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { Label, Radio, RadioGroup } from 'react-aria-components'
import { LIMITS } from '../../../shared/limits.ts'
import { REJECTION_REASONS, type RejectionReason } from '../../../shared/upload-states.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { TextArea } from '../../ui/text-field.tsx'
import type { Upload } from './upload.queries.ts'

const REASONS = Object.entries(REJECTION_REASONS) as [RejectionReason, string][]
const FORM = 'reject-form'

/** Why an upload goes back: a digit chooses, Enter sends. */
export function RejectDialog({
  upload,
  onReject,
  onClose,
}: {
  upload: Pick<Upload, 'number' | 'title' | 'patient'>
  onReject: (reason: RejectionReason, comment: string) => Promise<void>
  onClose: () => void
}) {
  const [reason, setReason] = useState<RejectionReason | null>(null)
  const [comment, setComment] = useState('')
  const [isSending, setSending] = useState(false)
  const [wasTried, setTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  const reasonError = wasTried && !reason ? 'Alege motivul respingerii.' : null
  const commentError = wasTried && reason === 'other' && !comment.trim() ? 'Scrie motivul respingerii.' : null

  const choose = (chosen: RejectionReason) => {
    setReason(chosen)
    const wanted = chosen === 'other' ? 'textarea' : `input[value="${chosen}"]`
    form.current?.querySelector<HTMLElement>(wanted)?.focus()
  }
  const send = async () => {
    setTried(true)
    if (isSending) return
    if (!reason) return
    if (reason === 'other' && !comment.trim()) {
      form.current?.querySelector('textarea')?.focus()
      return
    }
    setSending(true)
    await onReject(reason, comment.trim())
    setSending(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      if (event.key !== 'Enter') return
    } else if (event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLButtonElement) {
      return
    }
    const chosen = REASONS[Number(event.key) - 1]
    if (chosen) choose(chosen[0])
    else if (event.key === 'Enter' && !event.repeat) void send()
    else return
    event.preventDefault()
  }

  return (
    <Dialog
      title={`Respinge încărcarea nr. ${upload.number}`}
      isOpen
      isDismissable={comment === ''}
      onOpenChange={(open) => !open && onClose()}
      actions={
        <>
          <Button onPress={onClose}>Anulează</Button>
          <Button type="submit" form={FORM} variant="danger" isPending={isSending}>
            Respinge
          </Button>
        </>
      }
    >
      <form
        ref={form}
        id={FORM}
        noValidate
        onKeyDown={onKeyDown}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void send()
        }}
        className="grid gap-5"
      >
        <p className="text-sm text-muted">
          {upload.patient ? `${upload.patient.name} · ` : ''}
          {upload.title}
        </p>
        <RadioGroup
          value={reason}
          onChange={(value) => choose(value as RejectionReason)}
          isRequired
          isInvalid={reasonError !== null}
          validationBehavior="aria"
          className="grid gap-1"
        >
          <Label className="text-sm font-medium">Motivul</Label>
          {REASONS.map(([code, name], place) => (
            <Radio
              key={code}
              value={code}
              autoFocus={place === 0}
              className="hit-area group/radio flex cursor-pointer items-center gap-3 rounded-md px-2 text-sm hover:bg-hover data-focus-visible:outline-2 data-focus-visible:outline-focus data-selected:bg-accent-soft data-selected:font-medium"
            >
              <span className="flex size-5 shrink-0 items-center justify-center rounded-full border border-line-strong bg-surface group-data-selected/radio:border-6 group-data-selected/radio:border-accent-mark" />
              <span className="flex-1">{name}</span>
              <span aria-hidden="true" className="pointer-coarse:hidden">
                <Kbd>{place + 1}</Kbd>
              </span>
            </Radio>
          ))}
          {reasonError && (
            <p role="alert" className="text-sm text-danger">
              {reasonError}
            </p>
          )}
        </RadioGroup>
        <TextArea
          label="Comentariu"
          help="Îl citește cine a încărcat fișierele. Ctrl Enter trimite."
          rows={2}
          maxLength={LIMITS.longText}
          value={comment}
          onChange={setComment}
          isRequired={reason === 'other'}
          error={commentError}
        />
      </form>
    </Dialog>
  )
}
