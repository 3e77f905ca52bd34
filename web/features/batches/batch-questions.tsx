import type { ReactNode } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { counted } from '../../../shared/romania/romanian.ts'
import { Button } from '../../ui/base/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import type { BatchGroup, BatchHead } from './batches.queries.ts'
import { nameOf } from './group-row.tsx'

/** What a person is asked: whether all sure groups are filed, the rest is withdrawn, a group is removed filed all the same, or filed for no institution. */
export type Asked =
  | { kind: 'sure' }
  /** `rest`: how many groups are withdrawn. `isOther`: no longer as many as the person has confirmed before. */
  | { kind: 'close'; rest: number; isOther: boolean }
  | { kind: 'remove' | 'refused' | 'duplicate' | 'institution'; group: BatchGroup }

export function BatchQuestion({
  asked,
  batch,
  onAcceptSure,
  onCloseBatch,
  onRemove,
  onFile,
  onFileWithoutInstitution,
  onEdit,
  onClose,
}: {
  asked: Asked
  batch: BatchHead
  onAcceptSure: () => void
  onCloseBatch: (rest: number) => void
  onRemove: (group: BatchGroup) => void
  onFile: (group: BatchGroup) => void
  onFileWithoutInstitution: (group: BatchGroup) => void
  onEdit: (group: BatchGroup) => void
  onClose: () => void
}) {
  if (asked.kind === 'sure')
    return (
      <Question
        title={`Trimiți ${counted(batch.counts.ready, 'grup sigur', 'grupuri sigure')} la verificare?`}
        yes="Trimite"
        onYes={onAcceptSure}
        onClose={onClose}
      >
        Fiecare pleacă la pacientul propus. Le poți lua înapoi timp de {LIMITS.undoFilingMinutes} de minute.
      </Question>
    )
  if (asked.kind === 'close')
    return (
      <Question
        title={`Retragi ${counted(asked.rest, 'grup netrimis', 'grupuri netrimise')}?`}
        yes="Încheie și retrage-le"
        isFinal
        onYes={() => onCloseBatch(asked.rest)}
        onClose={onClose}
      >
        {asked.isOther && 'Între timp numărul lor s-a schimbat. '}
        {batch.source === 'integration' && 'Sunt rezultatele unei integrări, ale tuturor colegilor. '}
        Fișierele lor nu ajung la verificare. Retragerea nu poate fi anulată.
        {batch.counts.missing > 0 &&
          ` ${counted(batch.counts.missing, 'fișier anunțat nu a ajuns', 'fișiere anunțate nu au ajuns')} la server.`}
      </Question>
    )
  const { kind, group } = asked
  const name = <span className="break-words">{nameOf(group)}</span>
  if (kind === 'remove')
    return (
      <Question
        title="Scoți din lot?"
        yes="Scoate"
        isDangerous
        onYes={() => onRemove(group)}
        onClose={onClose}
      >
        {name} nu ajunge la verificare.
      </Question>
    )
  if (kind === 'institution')
    return (
      <Question
        title="Trimiți fără instituție?"
        yes="Trimite fără instituție"
        other={{ label: 'Alege instituția', onPress: () => onEdit(group) }}
        onYes={() => onFileWithoutInstitution(group)}
        onClose={onClose}
      >
        Rezultatul din {name} nu ajunge la nicio instituție. Răspunsul e valabil și pentru celelalte rânduri
        fără instituție, cât timp rămâi pe pagină.
      </Question>
    )
  if (kind === 'duplicate')
    return (
      <Question
        title="Fișierul este deja trimis"
        yes="Sari peste"
        other={{ label: 'Păstrează și trimite', onPress: () => onFile(group) }}
        onYes={() => onRemove(group)}
        onClose={onClose}
      >
        {name} se află deja într-o încărcare, sau de două ori în lot.
      </Question>
    )
  return (
    <Question
      title="Va fi refuzat la control"
      yes="Scoate"
      other={{ label: 'Trimite totuși', onPress: () => onFile(group) }}
      onYes={() => onRemove(group)}
      onClose={onClose}
    >
      {name}: un fișier nu trece controlul automat, și încărcarea ar fi oprită.
    </Question>
  )
}

/** A question before something that concerns many files, or cannot be taken back. */
function Question({
  title,
  children,
  yes,
  no = 'Renunț',
  isDangerous = false,
  isFinal = false,
  other,
  onYes,
  onClose,
}: {
  title: string
  children: ReactNode
  yes: string
  no?: string
  isDangerous?: boolean
  /** Whether `yes` cannot be taken back, so that Enter is `no`. */
  isFinal?: boolean
  /** A third answer. */
  other?: { label: string; onPress: () => void } | undefined
  onYes: () => void
  onClose: () => void
}) {
  return (
    <Dialog
      role="alertdialog"
      size="sm"
      isDismissable={false}
      isOpen
      onOpenChange={onClose}
      title={title}
      actions={
        <>
          <Button autoFocus={isFinal} onPress={onClose}>
            {no}
          </Button>
          {other && <Button onPress={other.onPress}>{other.label}</Button>}
          <Button
            variant={isDangerous || isFinal ? 'danger' : 'primary'}
            autoFocus={!isFinal}
            onPress={onYes}
          >
            {yes}
          </Button>
        </>
      }
    >
      <div className="text-muted">{children}</div>
    </Dialog>
  )
}
