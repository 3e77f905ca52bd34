import { useQuery } from '@apollo/client/react'
import { useEffect, useRef, useState } from 'react'
import type { SlugMoves } from '../../../shared/uploads/categories.ts'
import { client } from '../../api/client.ts'
import { errorCode, errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { lazyOnIdle } from '../../ui/base/lazy.ts'
import { Spinner } from '../../ui/base/loading.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { useLeaveWarning } from '../../ui/overlays/leave-warning.tsx'
import { CATEGORY_UPLOADS } from './categories.queries.ts'
import { categoryStore, refreshCategories, useCategories } from './categories.ts'
import { CategoryEditor } from './category-editor.tsx'
import { isChanged } from './category-store.ts'
import { ConflictNotice, MergedNotice, type MergeReport, mergeServerList } from './merge/merge-notice.tsx'
import { listRemovedSlugs, planMoves, type RemovedSlug } from './removed-slugs.ts'
import { UnsavedBar } from './unsaved-bar.tsx'

const DeparturesDialog = lazyOnIdle(() => import('./removed-slugs-dialog.tsx'), 'RemovedSlugsDialog')

type Question = { departures: RemovedSlug[]; counts: ReadonlyMap<string, number> }

/** Where an administrator keeps the tree of categories. */
export function CategoriesTab() {
  const state = useCategories()
  const { data, refetch } = useQuery(CATEGORY_UPLOADS, { fetchPolicy: 'cache-and-network' })
  const [isSaving, setSaving] = useState(false)
  const [question, setQuestion] = useState<Question | null>(null)
  const [report, setReport] = useState<MergeReport | null>(null)
  const hasChanges = isChanged(state)
  const warning = useLeaveWarning(() => hasChanges)
  const collides = useServerChanges(setReport)

  // What was not saved is shown on no other screen.
  useEffect(() => () => categoryStore.discard(), [])
  // Somebody has saved: their moves have changed the counts too.
  const { version } = state
  useEffect(() => {
    if (version > 0) void refetch().catch(() => undefined)
  }, [version, refetch])

  const save = async (moves: SlugMoves) => {
    setSaving(true)
    try {
      await categoryStore.saveAll(moves)
      setQuestion(null)
      setReport(null)
      showToast({ tone: 'success', title: 'Categoriile au fost salvate' })
    } catch (error) {
      if (errorCode(error) !== 'CONFLICT') throw error
      setQuestion(null)
      await refreshCategories()
    } finally {
      setSaving(false)
    }
  }
  /** Saves, or asks first where uploads would be left behind. */
  const begin = async () => {
    const { snapshot, list } = categoryStore.getState()
    const departures = listRemovedSlugs(snapshot, list)
    setSaving(true)
    try {
      const counts = departures.length > 0 ? await readCounts() : new Map<string, number>()
      if (departures.some(({ was }) => counts.has(was.slug))) setQuestion({ departures, counts })
      else await save(planMoves(departures))
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
      {collides && <ConflictNotice state={state} onMerged={setReport} />}
      {report && <MergedNotice report={report} onClose={() => setReport(null)} />}
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
          isBlocked={collides}
          onSave={() => void begin()}
          onDiscard={() => warning.leave(categoryStore.discard)}
        />
      )}
      {question && <DeparturesDialog {...question} onSave={save} onClose={() => setQuestion(null)} />}
      {warning.dialog}
    </div>
  )
}

const toCounts = (rows: readonly { slug: string; count: number }[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ slug, count }) => [slug, count]))

/** As they are now: somebody may have filed something since the page was opened. */
async function readCounts(): Promise<ReadonlyMap<string, number>> {
  const { data } = await client.query({ query: CATEGORY_UPLOADS, fetchPolicy: 'network-only' })
  if (!data) throw new Error('categoryUploads: no data')
  return toCounts(data.categoryUploads)
}

/**
 * Somebody else has saved while something is unsaved here. What goes together is brought together at once; true while it does
 * not, until the person has chosen. What is being edited is finished first.
 */
function useServerChanges(onMerged: (report: MergeReport | null) => void): boolean {
  const state = useCategories()
  const latest = useRef(onMerged)
  latest.current = onMerged
  const isWaiting = state.arrived !== null && state.edited === null
  const collides = isWaiting && (categoryStore.previewMerge()?.conflicts.length ?? 0) > 0
  const isMergeable = isWaiting && !collides
  useEffect(() => {
    if (isMergeable) latest.current(mergeServerList(categoryStore.getState()))
  }, [isMergeable])
  return collides
}
