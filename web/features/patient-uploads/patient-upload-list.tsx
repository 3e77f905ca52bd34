import { type MouseEventHandler, useState } from 'react'
import { counted, formatBytes, formatDate } from '../../../shared/romania/romanian.ts'
import { nameFromSlug } from '../../../shared/uploads/categories.ts'
import { isAccepted } from '../../../shared/uploads/files.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { Icon, type IconName } from '../../ui/base/icon.tsx'
import { TextLink } from '../../ui/base/link.tsx'
import { useCategories } from '../categories/categories.ts'
import { CategoryPath } from '../categories/category-path.tsx'
import type { PatientUpload, PatientUploadFile } from '../new-upload/new-upload.queries.ts'
import { checkBeforeDownload, DownloadLink } from '../preview/download-link.tsx'
import { describeRejection } from '../preview/file-status.ts'
import { FileThumbnail } from '../preview/file-thumbnail.tsx'
import { archiveAddress, downloadAddress, previewAddress } from '../preview/preview-controls.ts'
import { DisagreeingMark, UploadStatePill } from '../uploads/upload-state-pill.tsx'
import { countRoots, dateOf, newestFirst, rootOf } from './sort-uploads.ts'

/** Lists a patient's uploads and their files, the newest first, of all categories or of one. */
export function PatientUploadList({ uploads }: { uploads: readonly PatientUpload[] }) {
  const [chosen, setChosen] = useState<string | null | undefined>()
  const roots = countRoots(uploads)
  // The last upload of the chosen category may have left it.
  const root = roots.some(({ slug }) => slug === chosen) ? chosen : undefined
  const shown = newestFirst(
    root === undefined ? uploads : uploads.filter((upload) => rootOf(upload) === root),
  )
  if (uploads.length === 0) return null
  return (
    <Card
      flush
      title="Rezultate"
      meta={<span className="text-sm text-muted">{counted(shown.length, 'încărcare', 'încărcări')}</span>}
    >
      {roots.length > 1 && (
        <CategoryFilter roots={roots} total={uploads.length} chosen={root} onChoose={setChosen} />
      )}
      <ul className="divide-y divide-line">
        {shown.map((upload) => (
          <UploadItem key={upload.id} upload={upload} />
        ))}
      </ul>
    </Card>
  )
}

/** Shows the uploads of all top-level categories or of one; `undefined` is all, null those without a category. */
function CategoryFilter({
  roots,
  total,
  chosen,
  onChoose,
}: {
  roots: ReturnType<typeof countRoots>
  total: number
  chosen: string | null | undefined
  onChoose: (slug: string | null | undefined) => void
}) {
  const { list } = useCategories()
  const nameOf = (slug: string | null) =>
    slug === null
      ? 'Fără categorie'
      : (list.find((category) => category.slug === slug)?.name ?? nameFromSlug(slug))
  const choices = [
    { slug: undefined, name: 'Toate', count: total },
    ...roots.map(({ slug, count }) => ({ slug, name: nameOf(slug), count })),
  ]
  return (
    <fieldset className="flex flex-wrap gap-1 border-b border-line px-3 py-1.5 sm:px-4 print:hidden">
      <legend className="sr-only">Categoria</legend>
      {choices.map(({ slug, name, count }) => (
        <Button
          key={name}
          variant={slug === chosen ? 'secondary' : 'quiet'}
          aria-pressed={slug === chosen}
          onPress={() => onChoose(slug)}
        >
          {name} <span className="text-muted tabular-nums">{count}</span>
        </Button>
      ))}
    </fieldset>
  )
}

function UploadItem({ upload }: { upload: PatientUpload }) {
  const { id, number, title, state, category, examinedOn, institution, authorName, files, isDisagreeing } =
    upload
  const isReadable = !UNREADABLE.has(state)
  const details = [
    category && <CategoryPath key="category" category={category} />,
    !examinedOn && 'data încărcării',
    institution?.name,
    `Nr. ${number}`,
    authorName,
  ]
  return (
    <li className="grid gap-x-4 px-4 py-2.5 sm:grid-cols-[5.5rem_minmax(0,1fr)] sm:px-5">
      <time dateTime={dateOf(upload)} className="text-sm font-medium tabular-nums sm:leading-6">
        {formatDate(dateOf(upload))}
      </time>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5">
        <div className="min-w-0 flex-1 basis-56">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <h3 className="min-w-0 font-semibold break-words">
              <TextLink to="/uploads/$uploadId" params={{ uploadId: id }}>
                {title}
              </TextLink>
            </h3>
            <UploadStatePill state={state} />
            {isDisagreeing && <DisagreeingMark />}
          </div>
          <p className="flex flex-wrap gap-x-3 text-sm text-muted">
            {details.map(
              (detail) =>
                detail && (typeof detail === 'string' ? <span key={detail}>{detail}</span> : detail),
            )}
          </p>
        </div>
        {files.length > 1 && isReadable && files.every(isOpenable) && (
          <DownloadLink href={archiveAddress(id)} className="-my-0.5">
            Descarcă tot
          </DownloadLink>
        )}
      </div>
      {files.length > 0 && (
        <ul className={classNames('mt-1 grid gap-x-4 sm:col-start-2', files.length > 1 && 'xl:grid-cols-2')}>
          {files.map((file) => (
            <FileItem key={file.id} file={file} isReadable={isReadable && isOpenable(file)} />
          ))}
        </ul>
      )}
    </li>
  )
}

/** The states in which files are not checked yet and cannot be opened. */
const UNREADABLE: ReadonlySet<string> = new Set(['receiving', 'checking', 'quarantined'])
const isOpenable = ({ scanResult }: PatientUploadFile): boolean => isAccepted(scanResult)

const PREVIEWABLE_KINDS: ReadonlySet<string> = new Set(['pdf', 'image'])

function FileItem({ file, isReadable }: { file: PatientUploadFile; isReadable: boolean }) {
  const { name, kind, size, pageCount } = file
  const rejection = describeRejection(file)
  return (
    <li className="flex min-w-0 items-center gap-2.5">
      <FileThumbnail file={file} />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm" data-tooltip-cut>
          {name}
        </span>
        <span className="block text-xs text-muted">
          {formatBytes(size)}
          {pageCount !== null && ` · ${counted(pageCount, 'pagină', 'pagini')}`}
        </span>
        {rejection && <span className="block text-xs text-danger">{rejection}</span>}
      </span>
      {isReadable && PREVIEWABLE_KINDS.has(kind) && (
        <IconAnchor href={previewAddress(file)} target="_blank" icon="eye" label={`Vezi ${name}`} />
      )}
      {isReadable && (
        <IconAnchor
          href={downloadAddress(file)}
          onClick={checkBeforeDownload}
          icon="download"
          label={`Descarcă ${name}`}
        />
      )}
    </li>
  )
}

function IconAnchor({
  href,
  icon,
  label,
  ...props
}: {
  href: string
  icon: IconName
  label: string
  target?: string
  onClick?: MouseEventHandler<HTMLAnchorElement>
}) {
  return (
    <a
      href={href}
      {...props}
      {...(props.target ? { rel: 'noopener' } : {})}
      aria-label={label}
      data-tooltip={label}
      className="hit-square inline-flex shrink-0 items-center justify-center rounded-md transition-colors hover:bg-hover"
    >
      <Icon name={icon} size={18} />
    </a>
  )
}
