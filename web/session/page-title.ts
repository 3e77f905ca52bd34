let title: string | null = null
let prefix = ''

const show = () => {
  document.title = prefix === '' ? (title ?? document.title) : `(${prefix}) ${title ?? ''}`
}

/** Sets the title of the page, behind the prefix of its screen. */
export function setPageTitle(next: string): void {
  title = next
  show()
}

/** Shows a text in front of the title; an empty one takes it away. */
export function setTitlePrefix(next: string): void {
  title ??= document.title
  prefix = next
  show()
}
