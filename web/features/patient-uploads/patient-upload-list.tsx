import type { MouseEventHandler } from 'react'
import { counted, formatBytes, formatDate } from '../../../shared/romania/romanian.ts'
import { nameFromSlug } from '../../../shared/uploads/categories.ts'
import { isAccepted } from '../../../shared/uploads/files.ts'
import { Card } from '../../ui/base/card.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { Icon, type IconName } from '../../ui/base/icon.tsx'
import { TextLink } from '../../ui/base/link.tsx'
import { useCategories } from '../categories/categories.ts'
import { CategoryIcon } from '../categories/category-icon.tsx'
import type { PatientUpload, PatientUploadFile } from '../new-upload/new-upload.queries.ts'
import { checkBeforeDownload, DownloadLink } from '../preview/download-link.tsx'
import { describeRejection } from '../preview/file-status.ts'
import { FileThumbnail } from '../preview/file-thumbnail.tsx'
import { archiveAddress, downloadAddress, previewAddress } from '../preview/preview-controls.ts'
import { DisagreeingMark, UploadStatePill } from '../uploads/upload-state-pill.tsx'
import { groupUploads } from './upload-groups.ts'

/** Lists a patient's uploads and their files by category. */
export function PatientUploadList({ uploads }: { uploads: readonly PatientUpload[] }) {
  const { list } = useCategories()
  const nameOf = (slug: string | null) =>
    slug === null
      ? 'Fără categorie'
      : (list.find((category) => category.slug === slug)?.name ?? nameFromSlug(slug))
  return groupUploads(uploads).map(({ slug, uploads: members }) => (
    <Card
      key={slug}
      flush
      title={nameOf(slug)}
      meta={<span className="text-sm text-muted">{counted(members.length, 'încărcare', 'încărcări')}</span>}
    >
      <ul className="divide-y divide-line">
        {members.map((upload) => (
          <UploadItem key={upload.id} upload={upload} />
        ))}
      </ul>
    </Card>
  ))
}

function UploadItem({ upload }: { upload: PatientUpload }) {
  const {
    id,
    number,
    title,
    state,
    category,
    examinedOn,
    createdAt,
    institution,
    authorName,
    files,
    isDisagreeing,
  } = upload
  const isReadable = !UNREADABLE.has(state)
  const details = [
    category?.name !== title && category?.name,
    examinedOn ? `Examinare ${formatDate(examinedOn)}` : `Încărcat ${formatDate(createdAt)}`,
    institution?.name,
    `Nr. ${number}`,
    authorName,
  ]
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 px-4 py-3.5 sm:px-5">
      <CategoryIcon category={category ?? NO_CATEGORY} />
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
          <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-muted">
            {details.map((detail) => detail && <span key={detail}>{detail}</span>)}
          </p>
        </div>
        {files.length > 1 && isReadable && files.every(isOpenable) && (
          <DownloadLink href={archiveAddress(id)} className="-my-0.5">
            Descarcă tot
          </DownloadLink>
        )}
      </div>
      {files.length > 0 && (
        <ul
          className={classNames(
            'mt-2 grid gap-x-4 max-sm:col-span-2 sm:col-start-2',
            files.length > 1 && 'sm:grid-cols-2',
          )}
        >
          {files.map((file) => (
            <FileItem key={file.id} file={file} isReadable={isReadable && isOpenable(file)} />
          ))}
        </ul>
      )}
    </li>
  )
}

const NO_CATEGORY = { icon: 'documents', color: '' }

/** The states in which files are not checked yet and cannot be opened. */
const UNREADABLE: ReadonlySet<string> = new Set(['receiving', 'checking', 'quarantined'])
const isOpenable = ({ scanResult }: PatientUploadFile): boolean => isAccepted(scanResult)

const PREVIEWABLE_KINDS: ReadonlySet<string> = new Set(['pdf', 'image'])

function FileItem({ file, isReadable }: { file: PatientUploadFile; isReadable: boolean }) {
  const { id, name, kind, size, pageCount } = file
  const rejection = describeRejection(file)
  return (
    <li className="flex min-w-0 items-center gap-2.5">
      <FileThumbnail file={file} />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm" data-tooltip={name}>
          {name}
        </span>
        <span className="block text-xs text-muted">
          {formatBytes(size)}
          {pageCount !== null && ` · ${counted(pageCount, 'pagină', 'pagini')}`}
        </span>
        {rejection && <span className="block text-xs text-danger">{rejection}</span>}
      </span>
      {isReadable && PREVIEWABLE_KINDS.has(kind) && (
        <IconAnchor href={previewAddress(id)} target="_blank" icon="eye" label={`Vezi ${name}`} />
      )}
      {isReadable && (
        <IconAnchor
          href={downloadAddress(id)}
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
