import { componentNames } from './component-names.ts'
import type { Stories } from './stories.ts'

export interface CatalogueComponent {
  /** Where it stands under `web/`: `ui/button`. */
  path: string
  /** In Romanian. */
  name: string
  /** Its states; the same promise however often it is asked for. */
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
  pieces: CatalogueComponent[]
}

/** The pieces of a list by the folder that they stand in; the groups in the order of the first piece of each in `groupNames`. */
export function groupComponents(list: readonly CatalogueComponent[]): ComponentGroup[] {
  const byFolder = Object.groupBy(list, ({ path }) => path.split('/')[0] ?? '')
  return Object.entries(groupNames).flatMap(([folder, name]) => {
    const found = byFolder[folder]
    return found ? [{ name, pieces: found }] : []
  })
}
