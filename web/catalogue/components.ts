import { componentNames } from './component-names.ts'
import type { Stories } from './stories.ts'

export interface CatalogueComponent {
  /** The path under `web/`: `ui/button`. */
  path: string
  /** The name in Romanian. */
  name: string
  /** Loads the states; returns the same promise each time. */
  load: () => Promise<Stories>
}

const loaders = import.meta.glob<Stories>('../**/*.stories.tsx', { import: 'default' })

/** `../forms/inputs/text/text.stories.tsx` → `forms/text`, `../ui/base/button.stories.tsx` → `ui/button`. */
export const readPath = (file: string) =>
  file.replace(/^\.\.\/([^/]+)\/(?:.+\/)?([^/]+)\.stories\.tsx$/, '$1/$2')

function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | null = null
  return () => {
    value ??= load()
    return value
  }
}

export const catalogueComponents: readonly CatalogueComponent[] = Object.entries(loaders)
  .map(([file, load]) => {
    const path = readPath(file)
    return { path, name: componentNames[path] ?? path, load: once(load) }
  })
  .sort((one, other) => one.name.localeCompare(other.name, 'ro'))

const groupNames: Record<string, string> = { forms: 'Formulare', ui: 'Piese' }

export interface ComponentGroup {
  name: string
  components: CatalogueComponent[]
}

/** Groups components by their folder, in the order of `groupNames`. */
export function groupComponents(list: readonly CatalogueComponent[]): ComponentGroup[] {
  const byFolder = Object.groupBy(list, ({ path }) => path.split('/')[0] ?? '')
  return Object.entries(groupNames).flatMap(([folder, name]) => {
    const found = byFolder[folder]
    return found ? [{ name, components: found }] : []
  })
}
