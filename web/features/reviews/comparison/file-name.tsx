/** A file's name; a button if the file can be shown. */
export function FileName({
  fileId,
  name,
  onShow,
}: {
  fileId: string
  name: string
  onShow: ((fileId: string) => void) | undefined
}) {
  if (!onShow) return name
  return (
    <button
      type="button"
      className="rounded-xs text-start underline underline-offset-2"
      onClick={() => onShow(fileId)}
    >
      {name}
    </button>
  )
}
