import { useState } from 'react'
import { categoryStore } from './categories.ts'
import type { TreePlace } from './category-edits.ts'
import { describePlace } from './category-labels.ts'

/** The moves of categories, with an announcement of the last one for screen readers. */
export function useAnnouncedMoves() {
  const [announcement, setAnnouncement] = useState('')
  const announce = (id: string | null | undefined) => {
    const { list } = categoryStore.getState()
    const category = list.find((each) => each.id === id)
    if (category) setAnnouncement(describePlace(list, category))
    return category
  }
  const idOf = (slug: string) => categoryStore.getState().list.find((each) => each.slug === slug)?.id
  return {
    announcement,
    /** Moves a category to a place and returns its slug there. */
    move: (slug: string, place: TreePlace): string => {
      const id = idOf(slug)
      categoryStore.move(slug, place)
      return announce(id)?.slug ?? slug
    },
    /** Moves a category one place up or down among its siblings. */
    moveStep: (slug: string, step: -1 | 1): void => {
      categoryStore.moveStep(slug, step)
      announce(idOf(slug))
    },
  }
}
