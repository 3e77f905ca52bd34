import { useMemo, useRef, useState } from 'react'
import { counted } from '../../../shared/romania/romanian.ts'
import { CATEGORY_DEPTH, type Category, parentSlug, slugParts } from '../../../shared/uploads/categories.ts'
import { Button } from '../../ui/base/button.tsx'
import { lazyOnIdle } from '../../ui/base/lazy.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { categoryStore } from './categories.ts'
import { childrenOf, subtreeOf, type TreePlace } from './category-edits.ts'
import { uploadCount } from './category-labels.ts'
import { isSameCategory } from './category-list.ts'
import type { CategoryState } from './category-store.ts'
import { CategoryTree } from './category-tree.tsx'
import { countBelow } from './category-values.ts'

const CategorySheet = lazyOnIdle(() => import('./category-sheet.tsx'), 'CategorySheet')
const MoveUnderDialog = lazyOnIdle(() => import('./move-under-dialog.tsx'), 'MoveUnderDialog')

/** How long a drag or a dialog may still restore the focus to an element that is no longer there. */
const FOCUS_TIMEOUT_MS = 2_000

interface CategoryEditorProps {
  state: CategoryState
  counts: ReadonlyMap<string, number> | null
  /** Whether the list is being saved. */
  isFrozen: boolean
}

/** The tree of categories with its sheet and dialogs. */
export function CategoryEditor({ state, counts, isFrozen }: CategoryEditorProps) {
  const { list, snapshot, edited } = state
  const [moving, setMoving] = useState<Category | null>(null)
  const [removing, setRemoving] = useState<Category | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const frame = useRef<HTMLDivElement>(null)
  const bySlug = (slug: string) => list.find((each) => each.slug === slug)

  // A category with a new slug is a new row: the focus is moved there and kept until the user moves it.
  const focusRow = (slug: string) => {
    const deadline = performance.now() + FOCUS_TIMEOUT_MS
    const moved = new AbortController()
    const onMove = () => moved.abort()
    for (const kind of ['keydown', 'pointerdown'])
      window.addEventListener(kind, onMove, { capture: true, signal: moved.signal })
    const keepFocus = () => {
      if (moved.signal.aborted) return
      if (performance.now() > deadline) return moved.abort()
      const row = frame.current?.querySelector<HTMLElement>(`[role=row][data-key="${CSS.escape(slug)}"]`)
      if (row && document.activeElement !== row) row.focus()
      requestAnimationFrame(keepFocus)
    }
    requestAnimationFrame(keepFocus)
  }

  const move = (slug: string, place: TreePlace) => {
    const moved = bySlug(slug)
    categoryStore.move(slug, place)
    const now = categoryStore.getState().list.find(({ id }) => id === moved?.id)
    if (!now) return slug
    setAnnouncement(describePlace(categoryStore.getState().list, now))
    return now.slug
  }
  const unsaved = useMemo(() => {
    const saved = new Map(snapshot.map((category) => [category.id, category]))
    const differs = (category: Category) => {
      const was = saved.get(category.id)
      return !was || !isSameCategory(was, category)
    }
    return new Set(list.filter(differs).map(({ slug }) => slug))
  }, [list, snapshot])
  // The counts are by saved slug.
  const countsBySlug = useMemo(() => {
    const saved = new Map(snapshot.map(({ id, slug }) => [id, slug]))
    return new Map(list.map(({ id, slug }) => [slug, counts?.get(saved.get(id) ?? '') ?? 0]))
  }, [list, snapshot, counts])
  const deeper = list.filter(({ slug }) => slugParts(slug).length > CATEGORY_DEPTH).length

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
          onMove={(slug, place) => {
            focusRow(move(slug, place))
          }}
          onEdit={(slug) => {
            const category = bySlug(slug)
            if (category) categoryStore.edit(category)
          }}
          onAddChild={(slug) => categoryStore.addChild(slug)}
          onMoveStep={(slug, step) => {
            categoryStore.moveStep(slug, step)
            const now = categoryStore.getState().list
            setAnnouncement(describePlace(now, now.find((each) => each.slug === slug)!))
          }}
          onMoveUnder={(slug) => setMoving(bySlug(slug) ?? null)}
          onRemove={(slug) => setRemoving(bySlug(slug) ?? null)}
        />
      )}
      {deeper > 0 && (
        <p className="border-t border-line px-4 py-3 text-sm text-muted sm:px-5">
          {`${counted(deeper, 'categorie este', 'categorii sunt')} sub al treilea nivel: nu se văd aici și rămân cum sunt.`}
        </p>
      )}
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

/** Returns the announcement of a category's place: `„RMN” este acum a 2-a din 4 sub „Imagistică”.` */
function describePlace(list: readonly Category[], { name, slug }: Category): string {
  const parent = parentSlug(slug)
  const siblings = childrenOf(list, parent)
  const position = siblings.findIndex((each) => each.slug === slug) + 1
  const where = list.find((each) => each.slug === parent)?.name
  const ordinal = position === 1 ? 'prima' : `a ${position}-a`
  return `„${name}” este acum ${ordinal} din ${siblings.length} ${where ? `sub „${where}”` : 'pe primul nivel'}.`
}

interface RemoveDialogProps {
  category: Category
  list: readonly Category[]
  counts: ReadonlyMap<string, number>
  onClose: () => void
}

/**
 * Asks to confirm a removal. Nothing is deleted before the list is saved; where the uploads go is asked then.
 */
function RemoveDialog({ category: { slug, name }, list, counts, onClose }: RemoveDialogProps) {
  const below = subtreeOf(list, slug).length - 1
  const uploads = countBelow(counts, slug)
  const remove = () => {
    categoryStore.remove(slug)
    onClose()
  }
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      role="alertdialog"
      size="sm"
      title={`Ștergi „${name}”?`}
      actions={
        <>
          <Button onPress={onClose}>Anulează</Button>
          <Button variant="danger" onPress={remove}>
            Șterge
          </Button>
        </>
      }
    >
      <div className="grid gap-2 text-muted">
        {below > 0 && (
          <p>{`Se ${below === 1 ? 'șterge' : 'șterg'} și ${counted(below, 'subcategorie', 'subcategorii')}.`}</p>
        )}
        <p>
          {uploads > 0
            ? `Aici ${uploads === 1 ? 'este' : 'sunt'} ${uploadCount(uploads)}. La salvare alegi unde merg.`
            : 'Nu are încărcări.'}{' '}
          Până salvezi, nimic nu este șters.
        </p>
      </div>
    </Dialog>
  )
}
