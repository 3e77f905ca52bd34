export const contentId = 'continut'

/** The first focusable element of every page, which skips to the content. */
export function SkipLink() {
  return (
    <a
      href={`#${contentId}`}
      className="layer-toast sr-only rounded-md bg-accent px-4 py-2.5 font-medium text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
    >
      Sari la conținut
    </a>
  )
}
