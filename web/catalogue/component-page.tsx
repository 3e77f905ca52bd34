import { type ReactNode, use, useEffect } from 'react'
import { Link } from 'react-aria-components'
import { useAddress, writeAddress } from './address.ts'
import type { CatalogueComponent } from './components.ts'

/** A component in each of its states, each in a frame; only one state if the address names it. */
export function ComponentPage({ component, tools }: { component: CatalogueComponent; tools: ReactNode }) {
  const stories = use(component.load())
  const { state, accent } = useAddress()
  const isSingleState = state !== null
  const shownStories = Object.entries(stories).filter(([name]) => !isSingleState || name === state)
  useEffect(() => {
    document.title = `${component.name} · Catalog · Dosar`
  }, [component])
  return (
    <>
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div>
          {tools && <p className="text-2xl font-semibold tracking-tight">{component.name}</p>}
          <h1 className="font-mono text-sm text-muted">{component.path}</h1>
        </div>
        {tools}
      </header>
      {shownStories.map(([name, Story]) => (
        <section key={name} aria-label={name} className="min-w-0 rounded-lg border border-line">
          <h2 className="border-b border-line px-4 py-2 text-sm text-muted">
            {isSingleState ? (
              name
            ) : (
              <Link
                href={writeAddress({ component: component.path, state: name, accent })}
                className="rounded-xs py-1 decoration-line-strong underline-offset-[0.2em] hover:underline"
              >
                {name}
              </Link>
            )}
          </h2>
          <div className="p-4">
            <Story />
          </div>
        </section>
      ))}
      {shownStories.length === 0 && <p className="text-muted">Piesa nu are starea „{state}”.</p>}
    </>
  )
}

/** The component in an iframe of phone width, so that media queries apply as on a phone. */
export function PhoneFrame({ component, tools }: { component: CatalogueComponent; tools: ReactNode }) {
  const address = useAddress()
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <p className="text-2xl font-semibold tracking-tight">{component.name}</p>
        {tools}
      </div>
      <iframe
        title={`${component.name} la 360 px`}
        src={writeAddress({ ...address, isNarrow: false })}
        className="h-185 w-90 box-content rounded-xl border border-line-strong"
      />
    </>
  )
}
