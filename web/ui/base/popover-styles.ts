/** The shared style of menus, select lists and suggestions. */
export const popoverClass =
  'layer-popover min-w-(--trigger-width) max-w-[calc(100vw-1rem)] overflow-auto rounded-lg border border-line bg-raised text-ink shadow-raised outline-none transition-opacity data-entering:opacity-0 data-exiting:opacity-0'

export const optionListClass = 'max-h-80 overflow-auto p-1 outline-none'

/**
 * For a virtualized list. Only visible rows are rendered, so the width cannot follow the content, and the
 * layout sets the padding.
 */
export const longListClass = 'max-h-80 w-72 min-w-full max-w-full overflow-auto outline-none'

export const optionClass =
  'hit-area group/option flex cursor-pointer select-none items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm outline-none data-focused:bg-hover data-disabled:cursor-not-allowed data-disabled:opacity-50'

/** A popover around an option list that scrolls inside it. */
export const choicePopoverClass = `${popoverClass} flex flex-col`
