/**
 * The styles that all fields share, including the plain ones of the sign-in and error pages. The names
 * `formkit-…` are the sections of FormKit's theme (styles/genesis.css).
 */

export const fieldClass = 'formkit-outer group/field grid min-w-0 content-start gap-1.5'

/** The box of a control: a border with 3:1 contrast, and a focus ring drawn by the focused control inside. */
export const controlClass =
  'formkit-inner hit-area flex w-full min-w-0 items-center rounded-md border border-line-strong bg-surface text-base text-ink transition-colors group-data-invalid/field:border-danger group-data-disabled/field:bg-sunken group-data-disabled/field:opacity-60'

/** The focus ring of a box whose input has the focus. */
export const controlRing =
  'has-[input:focus]:outline-2 has-[input:focus]:outline-focus has-[input:focus]:-outline-offset-1 group-data-invalid/field:has-[input:focus]:outline-offset-1'

export const inputClass = 'formkit-input min-w-0 flex-1 self-stretch bg-transparent px-3 py-1.5 outline-none'
