import { COMPARED_FACT_NAMES, type Hold } from '../../../../shared/reviews/holds.ts'
import { counted } from '../../../../shared/romania/romanian.ts'
import { Icon } from '../../../ui/base/icon.tsx'
import { showValue } from '../../preview/show-value.ts'
import { FileName } from './file-name.tsx'

const TITLES: Record<Hold['kind'], string> = {
  disagrees: 'Alt pacient în fișier',
  unopened: 'Fișiere pe care nu le-ai deschis',
  unreadable: 'Fișiere care nu se pot compara automat',
  unread: 'Fișiere citite numai în parte',
}

/** Lists why the upload is held, with the files; `onShow` shows a file. */
export function HoldList({
  holds,
  onShow,
}: {
  holds: readonly Hold[]
  onShow?: ((fileId: string) => void) | undefined
}) {
  return (
    <ul className="grid max-h-64 gap-3 overflow-y-auto text-sm">
      {[...Map.groupBy(holds, ({ kind }) => kind)].map(([kind, held]) => (
        <li key={kind} className="flex gap-2">
          <Icon
            name={kind === 'disagrees' ? 'user-x' : kind === 'unopened' ? 'eye-off' : 'file-question'}
            size={18}
            className="mt-px text-danger"
          />
          <div className="min-w-0">
            <p className="font-medium">{TITLES[kind]}</p>
            <ul className="mt-0.5 grid gap-0.5">
              {[...Map.groupBy(held, ({ what, value }) => `${what ?? ''} ${value ?? ''}`)].map(
                ([key, group]) => (
                  <li key={key} className="break-words">
                    {group[0]?.what && (
                      <span className="font-medium tabular-nums">
                        {COMPARED_FACT_NAMES[group[0].what]} {showValue(group[0].what, group[0].value ?? '')}:{' '}
                      </span>
                    )}
                    <FileNames files={group} onShow={onShow} />
                  </li>
                ),
              )}
            </ul>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** The name of a file, or the number of several, which opens the list of their names. */
export function FileNames({
  files,
  onShow,
}: {
  files: readonly { fileId: string; fileName: string }[]
  onShow?: ((fileId: string) => void) | undefined
}) {
  // Two CNPs of one file may be equal when masked.
  const [first, ...rest] = [...new Map(files.map((each) => [each.fileId, each])).values()]
  if (!first) return null
  if (rest.length === 0) return <FileName fileId={first.fileId} name={first.fileName} onShow={onShow} />
  return (
    <details className="inline-block align-top">
      <summary className="cursor-pointer rounded-xs">{counted(rest.length + 1, 'fișier', 'fișiere')}</summary>
      <ul className="mt-1 grid max-h-40 gap-1 overflow-y-auto ps-4">
        {[first, ...rest].map((file) => (
          <li key={file.fileId}>
            <FileName fileId={file.fileId} name={file.fileName} onShow={onShow} />
          </li>
        ))}
      </ul>
    </details>
  )
}
