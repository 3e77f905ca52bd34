import { classNames } from '../../ui/base/class-names.ts'

/**
 * A place in a document; `box` is left, top, width and height as parts of its page. `agrees` is null for what was not
 * compared.
 */
export type Mark = { page: number; box: readonly number[]; agrees: boolean | null }

const STYLES = {
  agrees: 'bg-success/10 outline-1 outline-success',
  disagrees: 'bg-danger/15 outline-2 outline-danger outline-dashed',
  found: 'bg-info/10 outline-1 outline-info',
}

/** Draws the marks of one page above it; what they mark is said in words beside the document. */
export function PageMarks({ marks }: { marks: readonly Mark[] }) {
  return marks.map(({ box, agrees }) => {
    const [left = 0, top = 0, width = 0, height = 0] = box
    const kind = agrees === null ? 'found' : agrees ? 'agrees' : 'disagrees'
    return (
      <span
        key={box.join()}
        aria-hidden
        data-mark={kind}
        // A page is white in both modes.
        data-theme="light"
        className={classNames('pointer-events-none absolute rounded-xs outline-offset-1', STYLES[kind])}
        style={{ left: percent(left), top: percent(top), width: percent(width), height: percent(height) }}
      />
    )
  })
}

const percent = (part: number): string => `${part * 100}%`
