import { useQuery } from '@apollo/client/react'
import { useMemo } from 'react'
import type { CategoryNode } from '../../../shared/categories.ts'
import { graphql } from '../../api/graphql.ts'
import { isIconName } from '../../ui/icon.tsx'
import type { Option } from '../../ui/select.tsx'

const CATEGORIES = graphql(`
  query Categories {
    getCategories
  }
`)

/** The categories to choose from, by slug, in the order of their tree; each says what it stands under. */
export function useCategoryOptions(): readonly Option[] {
  const { data } = useQuery(CATEGORIES, { fetchPolicy: 'cache-first' })
  const json = data?.getCategories
  return useMemo(() => {
    if (!json) return []
    const { tree } = JSON.parse(json) as { tree: CategoryNode[] }
    return listOptions(tree, [])
  }, [json])
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
