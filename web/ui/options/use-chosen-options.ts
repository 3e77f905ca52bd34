import { useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { chosenIds } from './choice-props.ts'
import type { ComboBoxProps } from './combo-box-props.ts'
import { findOptions, flatOptions, type Option } from './option.ts'

/** Returns the choice of a ComboBox with its options, also those that the current list does not contain. */
export function useChosenOptions<Id extends string>({
  options,
  chosen,
  isMultiple = false,
  value,
  onChange,
  onUnmatchedText,
}: ComboBoxProps<Id>) {
  const ids = useSameIds(chosenIds<Id>(value))
  const [selected, setSelected] = useState<readonly Option<Id>[]>([])
  /** Options created in this field. */
  const [created, setCreated] = useState<readonly Option<Id>[]>([])
  const flat = useMemo(() => flatOptions(options), [options])
  const known = [...flat, ...created, ...[chosen ?? []].flat(), ...selected] as Option<Id>[]
  const current = findOptions(ids, known)

  const change = (next: readonly Id[]) => onChange((isMultiple ? [...next] : (next[0] ?? null)) as Id & Id[])
  const withId = (id: Id) => (isMultiple ? [...new Set([...ids, id])] : [id])
  const choose = (next: readonly Id[]) => {
    onUnmatchedText?.(null)
    setSelected(findOptions(next, known))
    change(next)
  }
  return {
    ids,
    known,
    current,
    /** Chosen and created options that are missing from `options`. */
    unlisted: [...new Map([...current, ...created].map((option) => [option.id, option])).values()].filter(
      ({ id }) => !flat.some((option) => option.id === id),
    ),
    choose,
    /** Adds an option to a multiple choice; replaces the choice of one option. */
    chooseAlso: (id: Id) => choose(withId(id)),
    chooseCreated: (option: Option<Id>) => {
      // The option must be in the list before it is selected, because React Aria takes the text of the box
      // from the list.
      flushSync(() => setCreated((before) => [...before, option]))
      change(withId(option.id))
    },
  }
}

/**
 * Returns the same array while the ids are equal: React Aria empties the typed text when the array changes.
 */
function useSameIds<Id extends string>(ids: readonly Id[]): readonly Id[] {
  const last = useRef(ids)
  if (ids.length !== last.current.length || ids.some((id, index) => id !== last.current[index]))
    last.current = ids
  return last.current
}
