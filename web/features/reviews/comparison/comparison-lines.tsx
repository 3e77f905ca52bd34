import { lookUp } from '../../../../shared/look-up.ts'
import { COMPARED_FACT_NAMES, type ComparedFact, isReadInPart } from '../../../../shared/reviews/holds.ts'
import { Icon, type IconName } from '../../../ui/base/icon.tsx'
import { describePlace, pageOf } from '../../preview/describe-place.ts'
import { describeFileFields, describeUnreadable, describeUnreadEntries } from '../../preview/file-status.ts'
import { showValue } from '../../preview/show-value.ts'
import type { Upload } from '../upload.queries.ts'
import { FileName } from './file-name.tsx'
import { FileNames } from './hold-list.tsx'

type Line = NonNullable<Upload['comparison']>['lines'][number]
type Mark = NonNullable<Upload['comparison']>['marks'][number]
type OnShow = (fileId: string, page?: number) => void

const RESULTS: Record<string, { icon: IconName; tone: string; text: string }> = {
  agrees: { icon: 'check-circle', tone: 'text-success', text: 'se potrivește' },
  disagrees: { icon: 'error', tone: 'text-danger', text: 'nu se potrivește' },
  absent: { icon: 'minus', tone: 'text-muted', text: 'nu scrie' },
  unread: { icon: 'eye', tone: 'text-muted', text: 'nu s-a citit' },
}

/** What the files state of their patient, compared with the patient of the upload: one line for each fact. */
export function ComparisonLines({
  upload: { comparison, files },
  onShow,
}: {
  upload: Pick<Upload, 'comparison' | 'files'>
  /** Shows a file, at a page if one is named. */
  onShow: OnShow
}) {
  if (!comparison || files.length === 0) return null
  const names = new Map(files.map(({ id, name }) => [id, name]))
  const scans = files.filter((file) => describeFileFields(file).noText)
  const archives = files.flatMap((file) => {
    const text = describeUnreadEntries(file)
    return text === null ? [] : [{ file, text }]
  })
  // A file that the check has stopped cannot be opened.
  const unread = files.filter(
    ({ id, scanResult }) => comparison.unreadFileIds.includes(id) && scanResult !== 'refused',
  )
  const cut = files.filter((file) => isReadInPart(describeFileFields(file)) && !describeUnreadEntries(file))
  const unreadable = files.filter((file) => describeUnreadable(file) !== null)
  return (
    <ul aria-label="În fișiere" className="mt-3 grid gap-1.5 border-t border-line pt-3 text-sm">
      {comparison.lines.map((line) => (
        <ComparisonLine
          key={line.what}
          line={line}
          agreeing={comparison.marks.find(({ what, agrees }) => agrees && what === line.what)}
          names={names}
          onShow={onShow}
        />
      ))}
      {comparison.isCut && <li>Un fișier spune mai mult decât se păstrează; sunt arătate primele date.</li>}
      {[...Map.groupBy(unreadable, describeUnreadable)].map(([why, held]) => (
        <FilesLine
          key={why}
          icon="file-question"
          tone="text-danger"
          text={`nu se poate compara: ${why}`}
          files={held}
          onShow={onShow}
        />
      ))}
      {cut.length > 0 && (
        <FilesLine
          icon="file-question"
          tone="text-danger"
          text="citit numai în parte: privește-l"
          files={cut}
          onShow={onShow}
        />
      )}
      {unread.length > 0 && (
        <FilesLine
          icon="eye"
          tone="text-muted"
          text="nu s-a citit automat: privește-l"
          files={unread}
          onShow={onShow}
        />
      )}
      {scans.length > 0 && (
        <FilesLine
          icon="eye"
          tone="text-muted"
          text="fără text: compară cu ochiul"
          files={scans}
          onShow={onShow}
        />
      )}
      {archives.map(({ file, text }) => (
        <FilesLine key={file.id} icon="eye" tone="text-muted" text={text} files={[file]} onShow={onShow} />
      ))}
    </ul>
  )
}

/** One fact, with the values that disagree and the files that have them. */
export function ComparisonLine({
  line: { what, result, disagreeing },
  agreeing,
  names,
  onShow,
}: {
  line: Line
  /** The first place to mark of those that agree. */
  agreeing?: Mark | undefined
  names: ReadonlyMap<string, string>
  onShow?: OnShow | undefined
}) {
  const { icon, tone, text } = lookUp(RESULTS, result) ?? RESULTS.absent!
  return (
    <li className="flex gap-2">
      <Icon name={icon} size={18} className={`mt-px ${tone}`} />
      <div className="min-w-0 flex-1">
        <p>
          {COMPARED_FACT_NAMES[what as ComparedFact]}: <span className={`font-medium ${tone}`}>{text}</span>
          {result === 'agrees' && agreeing && onShow && (
            <>
              {', '}
              <FileName
                fileId={agreeing.fileId}
                name={`pagina ${agreeing.page}`}
                onShow={(fileId) => onShow(fileId, agreeing.page)}
              />
            </>
          )}
        </p>
        {disagreeing.length > 0 && (
          <ul className="mt-0.5 grid max-h-32 gap-0.5 overflow-y-auto">
            {disagreeing.map(({ value, fileIds, place }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two CNPs may be equal when masked
              <li key={index} className="break-words">
                <span className="font-medium tabular-nums">{showValue(what, value)}</span> în{' '}
                <FileNames
                  files={fileIds.map((fileId) => ({ fileId, fileName: names.get(fileId) ?? '' }))}
                  onShow={
                    onShow && ((fileId) => onShow(fileId, fileId === fileIds[0] ? pageOf(place) : undefined))
                  }
                />
                {fileIds.length === 1 && <span className="text-muted">{describePlace(place)}</span>}
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  )
}

function FilesLine({
  icon,
  tone,
  text,
  files,
  onShow,
}: {
  icon: IconName
  tone: string
  text: string
  files: Upload['files']
  onShow: (fileId: string) => void
}) {
  return (
    <li className="flex gap-2">
      <Icon name={icon} size={18} className={`mt-px ${tone}`} />
      <p className="min-w-0 flex-1 break-words">
        <FileNames files={files.map(({ id, name }) => ({ fileId: id, fileName: name }))} onShow={onShow} />{' '}
        <span className={`font-medium ${tone}`}>{text}</span>
      </p>
    </li>
  )
}
