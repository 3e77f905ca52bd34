import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { showToast } from '../../ui/feedback/toast.tsx'
import type { PreviewControls } from '../preview/preview-controls.ts'
import { useNow } from '../uploads/use-now.ts'
import { listHolds } from './comparison/list-holds.ts'
import type { ReviewCommand } from './review-keys.ts'
import { listReviewRequirements } from './review-requirements.ts'
import type { Upload } from './upload.queries.ts'
import { useFileNavigation } from './use-file-navigation.ts'
import { usePreloadNext } from './use-preload-next.ts'
import { useReviewKeys } from './use-review-keys.ts'
import { undoLastVerdict } from './verdict/undo-last-verdict.tsx'
import { useVerdict } from './verdict/use-verdict.ts'
import { clearVerdict, showVerdict } from './verdict/verdict-toast.ts'

const route = getRouteApi('/default-layout/uploads/$uploadId')

/** The state of the review of one upload and the commands of its buttons; also runs the commands of keys. */
export function useReview(
  upload: Upload,
  onReload: () => Promise<unknown>,
  onNextLoaded: (id: string) => void,
) {
  const dialog = useReviewDialog()
  useMend(upload, dialog.open)
  const files = useFileNavigation(upload)
  const verdict = useVerdict(upload, files.openedIds, onReload)
  const holds = listHolds(upload, files.openedIds)
  const controls = useRef<PreviewControls>(null)
  const [isTooEarly, setTooEarly] = useState(false)
  const [isFirstShown, setFirstShown] = useState(upload.files.length === 0)
  // Also while the dialog is loading. That of a file is not shown once the file is gone.
  const isDialogOpen = dialog.opened !== null && !(dialog.opened === 'remove-file' && !files.selected)
  const requirements = listReviewRequirements(upload, useNow())
  const canDecide = upload.can.decide || verdict.isDeciding
  const hasAccepted = upload.firstAcceptance?.isOwn === true
  const cannotAccept = (hasAccepted || (upload.can.decide && !upload.can.accept)) && !verdict.isDeciding

  usePreloadNext(canDecide && isFirstShown ? upload.nextInReview : null, onNextLoaded)

  const accept = () => {
    if (isDialogOpen || !canDecide || upload.files.length === 0) return
    const guard = verdict.guard()
    setTooEarly(guard === 'loading' || guard === 'too-early')
    if (guard !== 'open') return
    const title = hasAccepted ? 'Ai acceptat-o deja' : 'Nu o poți accepta'
    if (cannotAccept) showVerdict({ tone: 'info', title, description: requirements[0] })
    else if (holds.length > 0) dialog.open('hold')
    else void verdict.accept()
  }
  const reject = () => {
    if (canDecide && !verdict.isChanged && !verdict.isSending()) dialog.open('reject')
  }
  const next = () => {
    if (isDialogOpen || !(canDecide || verdict.isClosed) || verdict.isSending()) return
    if (upload.nextInReview) void verdict.goToNext()
    else showToast({ tone: 'info', title: 'Nu mai așteaptă nicio altă încărcare' })
  }
  const edit = () => {
    if (upload.can.edit && !verdict.isSending()) dialog.open('edit')
  }
  const help = () => dialog.open('keys')
  useReviewKeys((command) => {
    if (isDialogOpen) return
    const commands: Record<ReviewCommand, () => void> = {
      ...documentCommands(controls.current, files.step),
      accept,
      reject,
      next,
      edit,
      help,
      undo: undoLastVerdict,
    }
    commands[command]()
  })

  return {
    onReload,
    dialog,
    verdict,
    files: {
      ...files,
      controls,
      onShown: (hasContent: boolean) => {
        files.onShown(hasContent)
        verdict.onShown()
        setFirstShown(true)
      },
    },
    /** What the upload's category requires besides one verdict, in sentences. */
    requirements,
    /** Whether the user may decide; stays true while the verdict is being sent. */
    canDecide,
    /** Whether another reviewer must accept: the user filed it, or has given the first of two acceptances. */
    cannotAccept,
    /** Why an acceptance needs a written reason. */
    holds,
    /** Whether the user tried to accept before the document had been shown long enough. */
    isTooEarly,
    /** Whether the first file has been shown. */
    isFirstShown,
    accept,
    reject,
    next,
  }
}
export type Review = ReturnType<typeof useReview>

type Dialog =
  | 'reject'
  | 'hold'
  | 'edit'
  | 'keys'
  | 'remove-file'
  | 'move'
  | 'correct'
  | 'replace'
  | 'add-files'

/** Opens the dialog that the address names, once, for a user who may mend the upload with it. */
function useMend({ can, replacedBy }: Upload, open: (dialog: Dialog) => void): void {
  const mend = route.useSearch({ select: (search) => search.mend })
  const navigate = route.useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address is followed once
  useEffect(() => {
    if (!mend) return
    void navigate({ search: {}, replace: true })
    const isAllowed = { edit: can.edit, 'add-files': can.submit, replace: can.replace && !replacedBy }
    if (isAllowed[mend]) open(mend)
  }, [mend])
}

/** Keeps which dialog is open; none if null. */
function useReviewDialog() {
  const [opened, setOpened] = useState<Dialog | null>(null)
  return {
    opened,
    open: (dialog: Dialog) => {
      clearVerdict()
      setOpened(dialog)
    },
    close: () => setOpened(null),
  }
}

/** The commands that move in the document or to another file; without a document they do nothing. */
const documentCommands = (document: PreviewControls | null, step: (by: 1 | -1) => void) => ({
  'next-file': () => step(1),
  'previous-file': () => step(-1),
  'next-page': () => document?.turnPage(1),
  'previous-page': () => document?.turnPage(-1),
  'first-page': () => document?.turnPage('first'),
  'last-page': () => document?.turnPage('last'),
  'scroll-down': () => document?.scroll(1, 'line'),
  'scroll-up': () => document?.scroll(-1, 'line'),
  'screen-down': () => document?.scroll(1, 'screen'),
  'screen-up': () => document?.scroll(-1, 'screen'),
  'zoom-in': () => document?.zoom('in'),
  'zoom-out': () => document?.zoom('out'),
  'zoom-fit': () => document?.zoom('fit'),
})
