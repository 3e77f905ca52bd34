import { useEffect, useRef } from 'react'
import { useFeature } from '../../session/use-session.ts'
import { IconButton } from '../../ui/base/button.tsx'
import { Breadcrumbs, type Crumb } from '../../ui/page/breadcrumbs.tsx'
import { SentByMark, UploadStatePill } from '../uploads/upload-state-pill.tsx'
import { useNow } from '../uploads/use-now.ts'
import { WaitingAge } from '../uploads/waiting-age.tsx'
import { ReviewPlace } from './surroundings/review-place.tsx'
import type { Upload } from './upload.queries.ts'

/**
 * The heading of an upload. It gets the focus if no element has it, as after a correction that removes its own button, so
 * that a screen reader announces the upload.
 */
export function UploadHeading({ upload, onHelp }: { upload: Upload; onHelp: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const now = useNow()
  const isReviewer = useFeature('admin::review-files')
  const { number, title, patient, state, stateSince } = upload

  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed upload may have lost the focused button
  useEffect(() => {
    const focus = () => {
      if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
    }
    // In the frame after the first: focusing computes the layout, and would delay the paint of a next upload.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(focus)
    })
    return () => cancelAnimationFrame(frame)
  }, [upload])

  const back: Crumb = isReviewer
    ? { label: 'Verificare', link: { to: '/uploads' } }
    : patient
      ? { label: patient.name, link: { to: '/patients/$patientId', params: { patientId: patient.id } } }
      : { label: 'Încărcările mele', link: { to: '/bulk' } }
  return (
    <header className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <div className="flex items-start justify-between gap-2">
        <Breadcrumbs crumbs={[back, { label: `Nr. ${number}` }]} />
        <IconButton
          icon="keyboard"
          label="Taste"
          className="-my-0.5 pointer-coarse:hidden"
          onPress={onHelp}
        />
      </div>
      <h1 ref={heading} tabIndex={-1} className="text-lg font-semibold break-words outline-none">
        {title}
      </h1>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <UploadStatePill state={state} />
        {upload.sentBy && <SentByMark institution={upload.sentBy} />}
        <WaitingAge state={state} since={stateSince} now={now} />
        <ReviewPlace upload={upload} />
      </p>
    </header>
  )
}
