import { useApolloClient } from '@apollo/client/react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { BatchFilter } from '../../../shared/uploads/batches.ts'
import { errorCode, errorMessage } from '../../api/client-error.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { withdrawUpload } from '../new-upload/upload-server.ts'
import type { Asked } from './batch-questions.tsx'
import { countRest } from './batch-tabs.ts'
import { type BatchGroup, CHOOSE_GROUP_PATIENT, CLOSE_BATCH } from './batches.queries.ts'
import { type GroupPatient, isFiled, lacksInstitution, patientOf, questionOf } from './group-facts.ts'
import type { GroupCommand } from './group-keys.ts'
import { nameOf } from './group-row.tsx'
import { focusRow } from './group-table.tsx'
import type { BatchSending } from './sending/use-batch-sender.ts'
import { useCursor } from './use-cursor.ts'
import { useFiling } from './use-filing.ts'
import { useGroups } from './use-groups.ts'
import { useListKeys } from './use-list-keys.ts'

/** A row whose patient has just changed is not filed by a key that was meant for the one before. */
const CHANGE_GUARD_MS = 1000

const NOT_READ = 'Încă nu s-a citit: trimite-l când apare propunerea.'

/** The state of the page of a batch, and what its keys and buttons do. */
export function useBatchPage(batchId: string, filter: BatchFilter | null, sending: BatchSending) {
  const client = useApolloClient()
  const { batch, groups, reload, readBatch, findGroup, changedAt, more, region } = useGroups(batchId, filter)
  const filing = useFiling(batchId, reload)
  const cursor = useCursor(groups)
  const [choosing, setChoosing] = useState<ReadonlyMap<string, GroupPatient>>(new Map())
  /** The last choice of each group that is being saved: it resolves to whether the server has it. */
  const saving = useRef(new Map<string, Promise<boolean>>())
  const [searching, setSearching] = useState<string | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  /** The groups that a key was pressed for before they were read. */
  const [waited, setWaited] = useState<ReadonlySet<string>>(new Set())
  /** Whether a person has said on this page that groups go to no institution. */
  const [mayLackInstitution, setMayLackInstitution] = useState(false)
  const [isPanelOpen, setPanelOpen] = useState(false)
  const [sheet, setSheet] = useState<{ kind: 'edit' | 'patient'; group: BatchGroup } | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const isFixed = !batch?.isOwn || batch.closedAt !== null

  const focus = (id: string | null) => focusRow(list.current, id)
  // What has opened a dialog may be gone with it, as the item of a menu.
  useFocusAfter(asked !== null || sheet !== null, () => focus(cursor.id))
  // The page of a new batch has no element that was focused before.
  const isNew = sending.state.batchId === batchId && cursor.id !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (isNew && document.activeElement === document.body) focus(cursor.id)
  }, [isNew])
  const moveTo = (id: string | null) => {
    if (id === null) return
    flushSync(() => cursor.set(id))
    focus(id)
  }
  const search = (id: string) =>
    flushSync(() => {
      cursor.set(id)
      setSearching(id)
    })
  const cancelSearch = (id: string) => {
    const isInside = list.current?.contains(document.activeElement)
    flushSync(() => setSearching(null))
    if (isInside) focus(id)
  }
  const panel = useRef<HTMLElement>(null)
  /** Whether the panel takes the focus as soon as it is there. */
  const isPanelAwaited = useRef(false)
  const [setPanel] = useState(() => (element: HTMLElement | null) => {
    // The panel of a group that has changed is another one.
    if (!element) isPanelAwaited.current = panel.current?.contains(document.activeElement) ?? false
    else if (isPanelAwaited.current) element.focus()
    panel.current = element
  })
  const enterPanel = () => {
    isPanelAwaited.current = true
    flushSync(() => setPanelOpen(true))
    panel.current?.focus()
  }
  const closePanel = () => {
    flushSync(() => setPanelOpen(false))
    isPanelAwaited.current = false
    focus(cursor.id)
  }
  const showFiles = (id: string) => {
    cursor.set(id)
    setPanelOpen(true)
  }

  const choose = (id: string, patient: GroupPatient) => {
    flushSync(() => {
      setChoosing((before) => new Map(before).set(id, patient))
      filing.setProblem(id, null)
      setSearching(null)
      setSheet(null)
    })
    focus(id)
    // One after the other: an earlier choice that is slow never replaces a later one.
    const save = async (): Promise<boolean> => {
      await saving.current.get(id)
      const problem = await keepChoice(id, patient.id)
      if (saving.current.get(id) === saved) {
        saving.current.delete(id)
        filing.setProblem(id, problem)
        // The person has just seen this patient.
        changedAt.delete(id)
        setChoosing((before) => new Map([...before].filter(([each]) => each !== id)))
      }
      return problem === null
    }
    const saved = save()
    saving.current.set(id, saved)
  }
  /** Returns why the server does not keep the chosen patient; null: it does. */
  const keepChoice = async (uploadId: string, patientId: string): Promise<string | null> => {
    try {
      const variables = { uploadId, patientId }
      await client.mutate({ mutation: CHOOSE_GROUP_PATIENT, variables })
      return null
    } catch (error) {
      return errorMessage(error)
    } finally {
      await reload()
    }
  }

  const file = async (group: BatchGroup) => {
    const { id } = group.upload
    const patient = patientOf(group, choosing.get(id))
    setAsked(null)
    if (!patient || filing.sent.has(id)) return
    const next = cursor.id === id ? cursor.nextOpen() : null
    if (next !== null && next !== id) moveTo(next)
    await filing.accept(group.upload, { patientId: patient.id })
  }
  /** Files a group after what is asked about its files, and asks once on this page before one goes to no institution. */
  const fileAfterQuestion = (group: BatchGroup) => {
    if (mayLackInstitution || !lacksInstitution(group)) void file(group)
    else setAsked({ kind: 'institution', group })
  }
  const accept = (group: BatchGroup) => {
    const { id } = group.upload
    if (isFixed || isFiled(group)) return
    const saved = saving.current.get(id)
    // With the choice the group has another version, and the institution of this patient.
    if (saved)
      return void saved.then((is) => {
        const current = is ? findGroup(id) : null
        if (current) latestAccept.current(current)
      })
    if (!group.proposal) return void setWaited((before) => new Set(before).add(id))
    if (!patientOf(group, choosing.get(id))) return search(id)
    if (Date.now() - (changedAt.get(id) ?? 0) < CHANGE_GUARD_MS && !choosing.has(id))
      return filing.setProblem(id, 'Propunerea tocmai s-a schimbat: verifică pacientul, apoi trimite.')
    const kind = questionOf(group)
    if (kind) setAsked({ kind, group })
    else fileAfterQuestion(group)
  }
  const latestAccept = useRef(accept)
  latestAccept.current = accept
  const askAcceptSure = () => {
    if (!isFixed && batch && batch.counts.ready > 0 && filing.progress === null) setAsked({ kind: 'sure' })
  }
  const acceptSure = () => {
    setAsked(null)
    if (batch) void filing.acceptSure(batch)
  }
  const remove = async (group: BatchGroup) => {
    const { id } = group.upload
    setAsked(null)
    try {
      await withdrawUpload(id)
      showToast({ tone: 'success', title: 'Scos din lot', description: nameOf(group) })
    } catch (error) {
      filing.setProblem(id, errorMessage(error))
    }
    await reload()
  }
  /** `withdrawRest`: how many groups the person has agreed to withdraw; null if nothing was asked. */
  const close = async (withdrawRest: number | null) => {
    setAsked(null)
    try {
      await client.mutate({ mutation: CLOSE_BATCH, variables: { id: batchId, withdrawRest } })
      showToast({ tone: 'success', title: 'Lotul este încheiat' })
      await reload()
    } catch (error) {
      const current = errorCode(error) === 'CONFLICT' ? await readBatch() : null
      const rest = current ? countRest(current) : 0
      if (rest > 0) setAsked({ kind: 'close', rest, isOther: withdrawRest !== null })
      else showToast({ tone: 'error', title: 'Lotul nu s-a încheiat', description: errorMessage(error) })
    }
  }

  const run = (command: GroupCommand) => {
    const { group } = cursor
    if (command === 'accept-sure') return askAcceptSure()
    if (command === 'undo') return filing.undoLast(group && isFiled(group) ? group.upload.id : null)
    if (!group) return
    const { id } = group.upload
    if (command === 'next') moveTo(isRowFocused() ? cursor.step(1) : id)
    else if (command === 'previous') moveTo(cursor.step(-1))
    else if (command === 'first') moveTo(cursor.step(Number.NEGATIVE_INFINITY))
    else if (command === 'last') moveTo(cursor.step(Number.POSITIVE_INFINITY))
    // A row is filed or changed only where the person sees the focus.
    else if (!isRowFocused()) return
    else if (command === 'accept') accept(group)
    else if (command === 'preview') setPanelOpen((isOpen) => !isOpen)
    else if (command === 'panel') enterPanel()
    else if (isFixed || isFiled(group)) return
    else if (command === 'search') search(id)
    else if (command === 'remove') setAsked({ kind: 'remove', group })
  }
  useListKeys(run)
  // On narrow screens the files lie over the end of the list.
  useEffect(() => {
    if (isPanelOpen) document.activeElement?.closest('tr[data-group]')?.scrollIntoView({ block: 'nearest' })
  }, [isPanelOpen])
  // Rows appear as soon as their files are announced, before the server says that the batch has changed.
  const announced = sending.state.batchId === batchId ? sending.state.fileOfUpload.size : 0
  const latestReload = useRef(reload)
  latestReload.current = reload
  useEffect(() => {
    if (announced > 0) void latestReload.current()
  }, [announced])

  return {
    batch,
    groups,
    reload,
    more,
    region,
    filing,
    cursor,
    /** Contains the rows. */
    list,
    /** Whether the reader may only look. */
    isFixed,
    /** The patients whom a person has chosen on this page, until the server keeps them. */
    choosing,
    /** The id of the row in which a patient is searched. */
    searching,
    search,
    cancelSearch,
    choose,
    problemOf: (group: BatchGroup): string | undefined =>
      filing.problems.get(group.upload.id) ??
      (waited.has(group.upload.id) && !group.proposal && !isFiled(group) ? NOT_READ : undefined),
    accept,
    fileAfterQuestion,
    fileWithoutInstitution: (group: BatchGroup) => {
      setMayLackInstitution(true)
      void file(group)
    },
    askAcceptSure,
    acceptSure,
    remove,
    close,
    asked,
    setAsked,
    isPanelOpen,
    setPanel,
    showFiles,
    closePanel,
    sheet,
    setSheet,
    /** Reads a group again; null if it is no longer in the list. */
    reread: async (id: string): Promise<BatchGroup | null> => {
      await reload()
      return findGroup(id)
    },
  }
}
export type BatchPage = ReturnType<typeof useBatchPage>

/** More frames than a dialog fades out in. */
const FADE_FRAMES = 120

/** Gives the focus that a closed dialog has left nowhere, or on a button of a row, to what `focus` names. */
function useFocusAfter(isOpen: boolean, focus: () => void): void {
  const latest = useRef(focus)
  latest.current = focus
  useEffect(() => {
    if (!isOpen) return
    const settle = (frames: number) =>
      requestAnimationFrame(() => {
        const { activeElement } = document
        if (activeElement === document.body || activeElement?.closest('tr[data-group]')) latest.current()
        // A dialog keeps the focus until it has faded out.
        else if (frames > 0 && activeElement?.closest('[role=dialog], [role=alertdialog]')) settle(frames - 1)
      })
    // After React Aria, which gives it back in the next frame to what had it before: the button of a row, if it is there.
    return () => void requestAnimationFrame(() => settle(FADE_FRAMES))
  }, [isOpen])
}

const isRowFocused = () => document.activeElement?.closest('tr[data-group]') != null
