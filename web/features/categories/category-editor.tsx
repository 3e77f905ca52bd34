import { useMemo, useState } from 'react'
import { counted } from '../../../shared/romania/romanian.ts'
import { CATEGORY_DEPTH, type Category, slugParts } from '../../../shared/uploads/categories.ts'
import { lazyOnIdle } from '../../ui/base/lazy-on-idle.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { categoryStore } from './categories.ts'
import { CategoryTree } from './category-tree.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import type { CategoryState } from './store/category-state.ts'
import { countByListedSlug, listUnsavedSlugs } from './unsaved-changes.ts'
import { useAnnouncedMoves } from './use-announced-moves.ts'
import { useRowFocus } from './use-row-focus.ts'

const CategorySheet = lazyOnIdle(() => import('./category-sheet.tsx'), 'CategorySheet')
const MoveUnderDialog = lazyOnIdle(() => import('./move-under-dialog.tsx'), 'MoveUnderDialog')

interface CategoryEditorProps {
  state: CategoryState
  counts: ReadonlyMap<string, number> | null
  /** Whether the list is being saved. */
  isFrozen: boolean
}

/** The tree of categories with its sheet and dialogs. */
export function CategoryEditor({ state: { list, snapshot, edited }, counts, isFrozen }: CategoryEditorProps) {
  const [moving, setMoving] = useState<Category | null>(null)
  const [removing, setRemoving] = useState<Category | null>(null)
  const { announcement, move, moveStep } = useAnnouncedMoves()
  const [frame, focusRow] = useRowFocus()
  const unsaved = useMemo(() => listUnsavedSlugs(snapshot, list), [list, snapshot])
  const countsBySlug = useMemo(() => countByListedSlug(snapshot, list, counts), [list, snapshot, counts])
  const bySlug = (slug: string) => list.find((each) => each.slug === slug) ?? null

  return (
    <div ref={frame} inert={isFrozen}>
      {list.length === 0 ? (
        <EmptyState icon="folders" title="Nicio categorie">
          Categoriile spun ce fel de rezultat este și cum se verifică, se eliberează și se păstrează.
        </EmptyState>
      ) : (
        <CategoryTree
          list={list}
          counts={countsBySlug}
          unsaved={unsaved}
          onMove={(slug, place) => focusRow(move(slug, place))}
          onEdit={(slug) => {
            const category = bySlug(slug)
            if (category) categoryStore.edit(category)
          }}
          onAddChild={categoryStore.addChild}
          onMoveStep={moveStep}
          onMoveUnder={(slug) => setMoving(bySlug(slug))}
          onRemove={(slug) => setRemoving(bySlug(slug))}
        />
      )}
      <DeeperLevels list={list} />
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {edited && <CategorySheet edited={edited} onSaved={focusRow} />}
      {moving && (
        <MoveUnderDialog
          category={moving}
          list={list}
          onMove={(parent) => {
            setMoving(null)
            focusRow(move(moving.slug, { parent, before: null }))
          }}
          onClose={() => setMoving(null)}
        />
      )}
      {removing && (
        <RemoveDialog
          category={removing}
          list={list}
          counts={countsBySlug}
          onClose={() => setRemoving(null)}
        />
      )}
    </div>
  )
}

/** Reports categories below the third level, which the tree leaves out; renders nothing if there are none. */
function DeeperLevels({ list }: { list: readonly Category[] }) {
  const count = list.filter(({ slug }) => slugParts(slug).length > CATEGORY_DEPTH).length
  if (count === 0) return null
  return (
    <p className="border-t border-line px-4 py-3 text-sm text-muted sm:px-5">
      {`${counted(count, 'categorie este', 'categorii sunt')} sub al treilea nivel: nu se văd aici și rămân cum sunt.`}
    </p>
  )
}
