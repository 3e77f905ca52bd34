import { useMemo } from 'react'
import { type CategoryNode, categoryTree, nameFromSlug } from '../../../shared/uploads/categories.ts'
import { isIconName } from '../../ui/base/icon.tsx'
import type { Option } from '../../ui/options/option.ts'
import { useCategories } from './categories.ts'

/**
 * Returns the categories as options, in tree order; each names its parents. `chosen` is added at the end,
 * without parents, if the tree lacks it.
 */
export function useCategoryOptions(chosen?: string | null): readonly Option[] {
  const { list } = useCategories()
  return useMemo(() => {
    const options = listOptions(categoryTree(list), [])
    if (!chosen || options.some(({ id }) => id === chosen)) return options
    const name = list.find(({ slug }) => slug === chosen)?.name
    return [...options, { id: chosen, label: name ?? nameFromSlug(chosen) }]
  }, [list, chosen])
}

function listOptions(nodes: readonly CategoryNode[], parents: readonly string[]): Option[] {
  return nodes.flatMap(({ slug, name, icon, children }) => [
    {
      id: slug,
      label: name,
      description: parents.length > 0 ? parents.join(' › ') : undefined,
      icon: isIconName(icon) ? icon : undefined,
    },
    ...listOptions(children, [...parents, name]),
  ])
}

/** Returns a category as one line with the names of its parents: `Imagistică › RMN › Cerebral`. */
export const withPath = ({ description, label, ...option }: Option): Option => ({
  ...option,
  label: description ? `${description} › ${label}` : label,
})

/** Returns a category as one line whose beginning says it, where a narrow box cuts off the end: `Cerebral (Imagistică › RMN)`. */
export const withParents = ({ description, label, ...option }: Option): Option => ({
  ...option,
  label: description ? `${label} (${description})` : label,
})
