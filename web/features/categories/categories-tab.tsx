import { useQuery } from '@apollo/client/react'
import { useEffect, useRef, useState } from 'react'
import type { SlugMoves } from '../../../shared/uploads/categories.ts'
import { client } from '../../api/client.ts'
import { errorCode, errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { lazyOnIdle } from '../../ui/base/lazy-on-idle.ts'
import { Spinner } from '../../ui/base/loading.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { useLeaveWarning } from '../../ui/overlays/leave-warning.tsx'
import { CATEGORY_UPLOADS } from './categories.queries.ts'
import { categoryStore, refreshCategories, useCategories } from './categories.ts'
import { CategoryEditor } from './category-editor.tsx'
import { ConflictNotice, MergedNotice, type MergeReport, mergeServerList } from './merge/merge-notice.tsx'
import { MovesNotice } from './moves-notice.tsx'
import { listRemovedSlugs, planMoves, type RemovedSlug } from './removed-slugs.ts'
import { isChanged } from './store/category-state.ts'
import { UnsavedBar } from './unsaved-bar.tsx'

const RemovedSlugsDialog = lazyOnIdle(() => import('./removed-slugs-dialog.tsx'), 'RemovedSlugsDialog')

type PendingSave = { removedSlugs: RemovedSlug[]; counts: ReadonlyMap<string, number> }

/** The tab in which an administrator edits the tree of categories. */
export function CategoriesTab() {
  const state = useCategories()
  const { data, refetch } = useQuery(CATEGORY_UPLOADS, { fetchPolicy: 'cache-and-network' })
  const [isSaving, setSaving] = useState(false)
  const [pendingSave, setPendingSave] = useState<PendingSave | null>(null)
  const [report, setReport] = useState<MergeReport | null>(null)
  const hasChanges = isChanged(state)
  const warning = useLeaveWarning(() => hasChanges)
  const hasConflicts = useServerChanges(setReport)

  // Unsaved changes are discarded when the tab is left, so that no other screen shows them.
  useEffect(() => () => categoryStore.discard(), [])
  // After a save of another user, the moves of uploads have changed the counts too.
  const { version } = state
  useEffect(() => {
    if (version !== 0) void refetch().catch(() => undefined)
  }, [version, refetch])

  const save = async (moves: SlugMoves) => {
    setSaving(true)
    try {
      await categoryStore.saveAll(moves)
      setPendingSave(null)
      setReport(null)
      showToast({ tone: 'success', title: 'Categoriile au fost salvate' })
    } catch (error) {
      if (errorCode(error) !== 'CONFLICT') throw error
      setPendingSave(null)
      await refreshCategories()
    } finally {
      setSaving(false)
    }
  }
  /** Saves, or first opens the dialog if uploads have a removed slug. */
  const startSave = async () => {
    const { snapshot, list } = categoryStore.getState()
    const removed = listRemovedSlugs(snapshot, list)
    setSaving(true)
    try {
      const counts = removed.length > 0 ? await fetchCounts() : new Map<string, number>()
      if (removed.some(({ was }) => counts.has(was.slug))) setPendingSave({ removedSlugs: removed, counts })
      else await save(planMoves(removed))
    } catch (error) {
      showToast({ tone: 'error', title: 'Categoriile nu s-au salvat', description: errorMessage(error) })
    } finally {
      setSaving(false)
    }
  }
  const add = (
    <Button icon="plus" onPress={() => categoryStore.addChild(null)}>
      Adaugă o categorie
    </Button>
  )
  return (
    <div className="grid gap-4">
      {hasConflicts && <ConflictNotice state={state} onMerged={setReport} />}
      {report && <MergedNotice report={report} onClose={() => setReport(null)} />}
      <MovesNotice />
      <Card title="Categorii" flush actions={add}>
        {version === 0 ? (
          <Spinner label="Se încarcă categoriile" className="p-5" />
        ) : (
          <CategoryEditor
            state={state}
            counts={data ? toCounts(data.categoryUploads) : null}
            isFrozen={isSaving}
          />
        )}
      </Card>
      {hasChanges && (
        <UnsavedBar
          isSaving={isSaving}
          isBlocked={hasConflicts}
          onSave={() => void startSave()}
          onDiscard={() => warning.leave(categoryStore.discard)}
        />
      )}
      {pendingSave && (
        <RemovedSlugsDialog {...pendingSave} onSave={save} onClose={() => setPendingSave(null)} />
      )}
      {warning.dialog}
    </div>
  )
}

const toCounts = (rows: readonly { slug: string; count: number }[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ slug, count }) => [slug, count]))

/** Requests the current counts: uploads may have been filed since the page was opened. */
async function fetchCounts(): Promise<ReadonlyMap<string, number>> {
  const { data } = await client.query({ query: CATEGORY_UPLOADS, fetchPolicy: 'network-only' })
  if (!data) throw new Error('categoryUploads: no data')
  return toCounts(data.categoryUploads)
}

/**
 * Handles a save of another user while this page has unsaved changes: merges lists without conflicts at once,
 * after an open edit is finished. Returns true while there are conflicts for the user to resolve.
 */
function useServerChanges(onMerged: (report: MergeReport | null) => void): boolean {
  const state = useCategories()
  const latest = useRef(onMerged)
  latest.current = onMerged
  const isWaiting = state.arrived !== null && state.edited === null
  const hasConflicts = isWaiting && (categoryStore.previewMerge()?.conflicts.length ?? 0) > 0
  const isMergeable = isWaiting && !hasConflicts
  useEffect(() => {
    if (isMergeable) latest.current(mergeServerList(categoryStore.getState()))
  }, [isMergeable])
  return hasConflicts
}
