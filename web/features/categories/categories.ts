import { useSyncExternalStore } from 'react'
import { client } from '../../api/client.ts'
import { onPersonChange } from '../../session/person-change.ts'
import { getSession } from '../../session/session.ts'
import { GET_CATEGORIES, SAVE_CATEGORIES } from './categories.queries.ts'
import { type CategoryState, createCategoryStore } from './category-store.ts'

const store = createCategoryStore({
  getCategories: async () => {
    const { data } = await client.query({ query: GET_CATEGORIES, fetchPolicy: 'no-cache' })
    if (!data) throw new Error('getCategories: no data')
    return data.getCategories
  },
  saveCategories: async (input) => {
    const { data } = await client.mutate({
      mutation: SAVE_CATEGORIES,
      variables: { input },
      fetchPolicy: 'no-cache',
    })
    if (!data) throw new Error('saveCategories: no data')
    return data.saveCategories
  },
})

/** Loads the categories, once, for whoever is signed in [4.11]; for nobody else. */
export function loadCategories(): void {
  if (getSession().status === 'authenticated') void store.load()
}

onPersonChange(() => {
  store.clear()
  loadCategories()
})

export const useCategories = (): CategoryState => useSyncExternalStore(store.subscribe, store.getState)
