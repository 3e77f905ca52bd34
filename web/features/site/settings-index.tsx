import { useNavigate, useRouterState } from '@tanstack/react-router'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { classNames } from '../../ui/base/class-names.ts'

/** The sections of the settings in their order, by the name in the address. */
export const SETTINGS_SECTIONS = {
  organizatia: 'Organizația',
  aspect: 'Aspect',
  autentificare: 'Autentificare',
  'e-mail': 'E-mail',
  functii: 'Funcții',
  cautare: 'Căutare',
  livrare: 'Livrare și partajare',
  limite: 'Limite și păstrare',
  propuneri: 'Propuneri la încărcare',
} as const
export type SettingsSectionId = keyof typeof SETTINGS_SECTIONS

const IDS = Object.keys(SETTINGS_SECTIONS) as SettingsSectionId[]

/** The navigation between the sections: beside them, or above them if there is no room. */
export function SettingsIndex() {
  const current = useCurrentSection()
  const navigate = useNavigate({ from: '/admin' })
  const row = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the current link whenever it changes
  useEffect(() => {
    const link = row.current?.querySelector<HTMLElement>('[aria-current]')
    if (row.current && link)
      row.current.scrollLeft = link.offsetLeft - (row.current.clientWidth - link.offsetWidth) / 2
  }, [current])
  const goTo = (event: MouseEvent, id: SettingsSectionId) => {
    // With a modifier key the browser opens the link in another tab itself.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    void navigate({ search: true, hash: id, replace: true })
    // The keyboard focus continues there.
    document.getElementById(id)?.focus({ preventScroll: true })
  }
  return (
    <nav
      ref={row}
      aria-label="Secțiunile setărilor"
      className="layer-bar sticky top-14 -mx-1 flex gap-1 overflow-x-auto bg-canvas px-1 py-1 [scrollbar-width:none] lg:top-6 lg:mx-0 lg:grid lg:content-start lg:gap-0.5 lg:self-start lg:overflow-visible lg:border-l lg:border-line lg:px-0 lg:py-0 print:hidden"
    >
      {IDS.map((id) => (
        // A link of the router would mark itself as the current page in every section.
        <a
          key={id}
          href={`#${id}`}
          aria-current={id === current ? 'location' : undefined}
          onClick={(event) => goTo(event, id)}
          className={classNames(
            'hit-area relative flex shrink-0 items-center rounded-md px-3 text-sm hover:bg-hover hover:text-ink lg:-ml-px lg:rounded-l-none lg:border-l-2',
            id === current
              ? 'bg-hover font-medium text-ink lg:border-accent-mark'
              : 'text-muted lg:border-transparent',
          )}
        >
          {SETTINGS_SECTIONS[id]}
        </a>
      ))}
    </nav>
  )
}

/**
 * Returns the section being read: the last one that has begun, or the chosen one if the page cannot scroll
 * that far.
 */
function useCurrentSection(): SettingsSectionId {
  const hash = useRouterState({ select: ({ location }) => location.hash })
  const [current, setCurrent] = useState<SettingsSectionId>(IDS[0]!)
  useEffect(() => {
    const sections = IDS.flatMap((id) => document.getElementById(id) ?? [])
    const update = () => {
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement
      const chosen = sections.find(({ id }) => id === hash)
      const isAtEnd = scrollTop + clientHeight >= scrollHeight - 2
      const started = sections.filter(
        (section) => section.getBoundingClientRect().top <= clientHeight * READING_LINE_RATIO,
      )
      const found =
        isAtEnd && chosen && started.indexOf(chosen) === -1 ? chosen : (started.at(-1) ?? sections[0])
      if (found) setCurrent(found.id as SettingsSectionId)
    }
    // Runs when the heading of a section crosses the line, in either direction.
    const observer = new IntersectionObserver(update, {
      rootMargin: `0px 0px -${100 - READING_LINE_RATIO * 100}% 0px`,
    })
    for (const section of sections) observer.observe(section)
    return () => observer.disconnect()
  }, [hash])
  return current
}

/** The share of the window's height above which a section counts as being read. */
const READING_LINE_RATIO = 0.35
