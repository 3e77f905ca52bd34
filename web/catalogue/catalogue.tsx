import { AriaProvider } from '../ui/aria-provider.tsx'
import { ColourModeSwitch } from '../ui/colour-mode-switch.tsx'
import { UiHosts } from '../ui/ui-hosts.tsx'
import { UiProvider } from '../ui/ui-provider.tsx'
import type { Stories } from './stories.ts'

const modules = import.meta.glob<Stories>('../**/*.stories.tsx', { eager: true, import: 'default' })

/** `../forms/text/text.stories.tsx` → `forms/text`. */
const nameOf = (path: string) => path.replace(/^\.\.\//, '').replace(/(\/[^/]+)?\.stories\.tsx$/, '')
const pieces = Object.entries(modules).map(([path, stories]) => ({ name: nameOf(path), stories }))

/** Every piece in each of its states: `?piece=forms/text` shows one, `&state=…` one state of it alone. */
export function Catalogue() {
  const wanted = new URLSearchParams(location.search)
  const piece = pieces.find(({ name }) => name === wanted.get('piece')) ?? pieces[0]
  const state = wanted.get('state')
  const shown = Object.entries(piece?.stories ?? {}).filter(([name]) => state === null || name === state)
  return (
    <UiProvider>
      <AriaProvider>
        <div className="grid min-h-dvh gap-6 p-4 md:grid-cols-[14rem_minmax(0,1fr)]">
          {state === null && (
            <nav aria-label="Piese" className="grid content-start gap-1 text-sm">
              <ColourModeSwitch />
              {pieces.map(({ name }) => (
                <a key={name} href={`?piece=${name}`}>
                  {name}
                </a>
              ))}
            </nav>
          )}
          <main className="grid content-start gap-6">
            <h1 className="text-xl font-semibold">{piece?.name}</h1>
            {shown.map(([name, Story]) => (
              <section key={name} aria-label={name} className="grid gap-3 rounded-lg border border-line p-4">
                <h2 className="text-sm text-muted">{name}</h2>
                <Story />
              </section>
            ))}
          </main>
        </div>
        <UiHosts />
      </AriaProvider>
    </UiProvider>
  )
}
