/** The look that menus, select lists and suggestions share. */
export const popoverClass =
  'layer-popover min-w-(--trigger-width) max-w-[calc(100vw-1rem)] overflow-auto rounded-lg border border-line bg-raised text-ink shadow-raised outline-none transition-opacity data-entering:opacity-0 data-exiting:opacity-0'

export const optionListClass = 'max-h-80 overflow-auto p-1 outline-none'

export const optionClass =
  'hit-area group/option flex cursor-pointer select-none items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm outline-none data-focused:bg-hover data-disabled:cursor-not-allowed data-disabled:opacity-50'
