import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { ariaChoiceProps, chosenIds } from './choice-props.ts'
import type { ComboBoxProps } from './combo-box-props.ts'
import { createMatcher } from './match-options.ts'
import { useActionRows } from './use-action-rows.ts'
import { useChosenOptions } from './use-chosen-options.ts'
import { useTypedRow } from './use-typed-row.ts'
import { useTypedText } from './use-typed-text.ts'

/** Returns the choice and the rows of a ComboBox, what its keys do, and the props of React Aria's component. */
export function useComboBox<Id extends string>(props: ComboBoxProps<Id>) {
  const { isMultiple = false, onSearch, onUnmatchedText, problem = null } = props
  const input = useRef<HTMLInputElement>(null)
  const listBox = useRef<HTMLDivElement>(null)
  const choice = useChosenOptions<Id>(props)
  const { ids, current, unlisted } = choice
  const { query, asQuery, setText } = useTypedText(
    isMultiple ? undefined : current[0]?.label,
    props.onTypingChange,
  )
  const { actions, creation } = useActionRows<Id>(props, query, choice)
  const matches = useMemo(createMatcher, [])
  const typedRow = useTypedRow({
    query,
    // Options from the server match already.
    matches: (label) => onSearch !== undefined || matches(label, query),
    chosen: isMultiple ? ids : [],
    actions: actions.map(({ id }) => id),
    hasMore: props.onLoadMore !== undefined,
    isOutdated: isOutdated(props, query),
    hasProblem: problem !== null,
    onChoose: (id) => choice.chooseAlso(id as Id),
  })
  const removal = useRemoveByBackspace(choice, isMultiple)

  const ariaProps = {
    ...ariaChoiceProps(props),
    value: isMultiple ? ids : (ids[0] ?? null),
    onChange: (next: unknown) => {
      const nextIds = chosenIds(next as Id | Id[] | null)
      const action = actions.find(({ id }) => nextIds.includes(id as Id))
      if (action) action.run()
      else choice.choose(nextIds)
    },
    defaultFilter: (label: string, typed: string) =>
      actions.some((action) => action.label === label) ||
      (onSearch !== undefined && !unlisted.some((option) => option.label === label)) ||
      matches(label, typed),
    onInputChange: (typed: string) => {
      setText(typed)
      typedRow.forgetEnter()
      creation.clearError()
      // Only for typing: the text that React Aria restores on blur is not new.
      if (document.activeElement === input.current) onUnmatchedText?.(null)
      // The best matches are first.
      listBox.current?.scrollTo(0, 0)
      onSearch?.(asQuery(typed))
    },
    onOpenChange: (isOpen: boolean, trigger?: string) => props.onOpenChange?.(isOpen, trigger),
    onKeyDown: removal.handleKeyDown,
    // Runs before React Aria restores the text of the last selection.
    onBlur: () => {
      const only = typedRow.findOnlyOption()
      if (query === '') onUnmatchedText?.(null)
      else if (only !== null) choice.chooseAlso(only as Id)
      else if (props.acceptsCustomText) creation.create()
      else onUnmatchedText?.(query)
      props.onBlur?.()
    },
  }
  return {
    ariaProps,
    input,
    listBox,
    choice,
    typedRow,
    actions,
    listError: problem ?? creation.error,
    announcement: removal.announcement,
  }
}

/** Whether the rows are of another text. While more rows of the same text are loading, they are not. */
function isOutdated<Id extends string>(
  { isLoading = false, searchedText, options }: ComboBoxProps<Id>,
  query: string,
): boolean {
  if (searchedText === undefined) return isLoading
  return searchedText.trim() !== query || (isLoading && options.length === 0)
}

/** Removes the last option of a multiple choice with Backspace in an empty box, and announces it. */
function useRemoveByBackspace<Id extends string>(
  { ids, current, choose }: ReturnType<typeof useChosenOptions<Id>>,
  isMultiple: boolean,
) {
  const [removed, setRemoved] = useState<{ id: Id; label: string } | null>(null)
  return {
    handleKeyDown: ({ key, target }: KeyboardEvent) => {
      if (key !== 'Backspace' || !isMultiple || (target as HTMLInputElement).value || ids.length === 0) return
      choose(ids.slice(0, -1))
      setRemoved(current.at(-1) ?? null)
    },
    announcement: removed && !ids.includes(removed.id) ? `Eliminat: ${removed.label}` : '',
  }
}
