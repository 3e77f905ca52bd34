import { useSyncExternalStore } from 'react'
import { client } from '../../api/client.ts'
import { onPersonChange } from '../../session/person-change.ts'
import { getSession } from '../../session/session.ts'
import { GET_CATEGORIES, SAVE_CATEGORIES } from './categories.queries.ts'
import type { CategoryResponse } from './store/category-list.ts'
import type { CategoryState } from './store/category-state.ts'
import { createCategoryStore } from './store/category-store.ts'

/** The categories that every screen shows and the editor edits. */
export const categoryStore = createCategoryStore({
  getCategories: async () => {
    let details: CategoryResponse['details']
    const { data } = await client.query({
      query: GET_CATEGORIES,
      fetchPolicy: 'no-cache',
      context: {
        onExtensions: (extensions) => {
          details = extensions.categories as typeof details
        },
      },
    })
    if (!data) throw new Error('getCategories: no data')
    return { json: data.getCategories, details }
  },
  saveCategories: async (input, details) => {
    const { data, extensions } = await client.mutate({
      mutation: SAVE_CATEGORIES,
      variables: { input },
      fetchPolicy: 'no-cache',
      context: { extensions: { categories: details } },
    })
    if (!data) throw new Error('saveCategories: no data')
    return { json: data.saveCategories, details: extensions?.categories as CategoryResponse['details'] }
  },
})

/** Loads the categories once for the signed-in user [4.11]; does nothing when signed out. Never rejects. */
export const loadCategories = async (): Promise<void> => {
  if (getSession().status === 'authenticated') await categoryStore.load()
}

/** Reloads the categories after a save of another user; unsaved changes of this page stay. */
export const refreshCategories = (): Promise<void> => categoryStore.refresh()

onPersonChange(() => {
  categoryStore.clear()
  void loadCategories()
})

export const useCategories = (): CategoryState =>
  useSyncExternalStore(categoryStore.subscribe, categoryStore.getState)
