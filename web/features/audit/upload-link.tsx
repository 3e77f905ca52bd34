import { useCanOpenUploads } from '../../session/use-session.ts'
import { TextLink } from '../../ui/base/link.tsx'

/** A separator and the link to the upload of an entry; nothing for entries and users without one. */
export function UploadLink({
  event: { subjectType, subjectId },
  separator,
}: {
  event: { subjectType: string | null; subjectId: string | null }
  separator: string
}) {
  const canOpen = useCanOpenUploads()
  if (!canOpen || subjectType !== 'upload' || !subjectId) return null
  return (
    <>
      {separator}
      <TextLink to="/uploads/$uploadId" params={{ uploadId: subjectId }}>
        vezi încărcarea
      </TextLink>
    </>
  )
}
