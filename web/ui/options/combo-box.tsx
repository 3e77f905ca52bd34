import {
  type KeyboardEvent,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import {
  Button as AriaButton,
  ComboBox as AriaComboBox,
  type ComboBoxProps as AriaComboBoxProps,
  ComboBoxStateContext,
  ComboBoxValue,
  Group,
  Input,
  type InputProps,
  Popover,
} from 'react-aria-components'
import { flushSync } from 'react-dom'
import { classNames } from '../base/class-names.ts'
import { Icon } from '../base/icon.tsx'
import { Spinner } from '../base/loading.tsx'
import { choicePopoverClass } from '../base/popover-styles.ts'
import { ClearButton } from '../controls/clear-button.tsx'
import { type FieldBaseProps, FieldLabel, FieldNotes } from '../controls/field.tsx'
import { controlClass, controlRing, fieldClass, inputClass } from '../controls/field-styles.ts'
import { createMatcher, flatOptions, isSameText } from './match-options.ts'
import type { Option, OptionGroup } from './option.ts'
import { OptionList } from './option-list.tsx'
import { OptionTags } from './option-tags.tsx'
import { type CreateOption, useNewOption } from './use-new-option.ts'

interface BaseProps<Id extends string>
  extends Omit<
      AriaComboBoxProps<Option<Id>>,
      | 'children'
      | 'className'
      | 'style'
      | 'isInvalid'
      | 'items'
      | 'defaultItems'
      | 'value'
      | 'defaultValue'
      | 'onChange'
      | 'selectionMode'
      | 'validate'
    >,
    FieldBaseProps {
  options: readonly (Option<Id> | OptionGroup<Id>)[]
  placeholder?: string | undefined
  /** The initially selected options, which may be missing from `options`. */
  chosen?: Option<Id> | readonly Option<Id>[] | undefined
  /** For options from the server: called on each change of the text. `options` are then shown unfiltered. */
  onSearch?: ((text: string) => void) | undefined
  isLoading?: boolean | undefined
  /** The text that server-side `options` match: for another text no row is highlighted. */
  searchedText?: string | undefined
  /** Loads the next page; undefined when there is none. */
  onLoadMore?: (() => void) | undefined
  /** Why the options, or more of them, could not be loaded. */
  problem?: string | null | undefined
  /** Repeats the failed request. */
  onRetry?: (() => void) | undefined
  /** Shown in the list when nothing matches. */
  emptyText?: string | undefined
  /** Creates an option from the text if no option has this name. */
  onCreate?: CreateOption<Id> | undefined
  /**
   * Accepts a typed text that matches no option, also when the field loses focus; `onCreate` then only
   * returns its option.
   */
  acceptsCustomText?: boolean | undefined
  /** Called when the box starts or stops containing a text that is not a selected option. */
  onTypingChange?: ((hasQuery: boolean) => void) | undefined
  /** Called with a text that matched no option when the field lost focus; with null on the next input. */
  onUnmatchedText?: ((text: string | null) => void) | undefined
  /** Returns the sentence for an error of `onCreate`. */
  describeError?: ((error: unknown) => string) | undefined
}

interface OneProps<Id extends string> extends BaseProps<Id> {
  isMultiple?: false | undefined
  value: Id | null
  onChange: (value: Id | null) => void
}

interface SeveralProps<Id extends string> extends BaseProps<Id> {
  isMultiple: true
  value: readonly Id[]
  onChange: (value: Id[]) => void
}

export type ComboBoxProps<Id extends string> = OneProps<Id> | SeveralProps<Id>

const RETRY = 'action retry'
const CREATE = 'action create'

/** A choice of one or several options by typing. */
export function ComboBox<Id extends string>({
  label,
  hideLabel,
  help,
  error,
  className,
  options,
  isMultiple = false,
  value,
  onChange,
  placeholder,
  chosen,
  onSearch,
  isLoading = false,
  searchedText,
  onLoadMore,
  problem = null,
  onRetry,
  emptyText = 'Nimic găsit',
  onCreate,
  describeError,
  acceptsCustomText = false,
  onTypingChange,
  onUnmatchedText,
  ...props
}: ComboBoxProps<Id>) {
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const ids = useSameIds(value === null ? [] : ([value].flat() as Id[]))
  /** Selected options, which the current list may not contain. */
  const [selectedOptions, setSelectedOptions] = useState<readonly Option<Id>[]>([])
  /** Options created in this field. */
  const [created, setCreated] = useState<readonly Option<Id>[]>([])
  /** The text in the box. */
  const [text, setText] = useState('')
  /** What Backspace removed, as an announcement for screen readers. */
  const [removed, setRemoved] = useState('')

  const flat = useMemo(() => flatOptions(options), [options])
  const known = [...flat, ...created, ...[chosen ?? []].flat(), ...selectedOptions] as Option<Id>[]
  const current = ids.flatMap((id) => known.find((option) => option.id === id) ?? [])
  const unlisted = [
    ...new Map([...current, ...created].map((option) => [option.id, option])).values(),
  ].filter(({ id }) => !flat.some((option) => option.id === id))
  // The label of the selected option is not a query.
  const query = !isMultiple && current[0]?.label === text ? '' : text.trim()

  const hasQuery = query !== ''
  useEffect(() => onTypingChange?.(hasQuery), [hasQuery, onTypingChange])

  const choose = (next: readonly Id[]) => {
    setRemoved('')
    onUnmatchedText?.(null)
    setSelectedOptions(next.flatMap((id) => known.find((option) => option.id === id) ?? []))
    onChange((isMultiple ? [...next] : (next[0] ?? null)) as Id & Id[])
  }
  const creation = useNewOption({
    query: isLoading || problem ? '' : query,
    existing: known,
    onCreate,
    verb: acceptsCustomText ? 'Folosește' : 'Adaugă',
    describeError,
    onCreated: (option) => {
      // The option must be in the list before it is selected, because React Aria takes the text of the box
      // from the list.
      flushSync(() => setCreated((before) => [...before, option]))
      onChange((isMultiple ? [...ids, option.id] : option.id) as Id & Id[])
    },
  })
  const actions: Option[] = [
    ...(problem && onRetry ? [{ id: RETRY, label: 'Încearcă din nou', icon: 'retry' as const }] : []),
    ...(creation.line ? [{ ...creation.line, id: CREATE }] : []),
  ]
  const handleSelection = (next: unknown) => {
    const selectedIds = next === null ? [] : ([next].flat() as Id[])
    if (selectedIds.includes(RETRY as Id)) onRetry?.()
    else if (selectedIds.includes(CREATE as Id)) creation.create()
    else choose(selectedIds)
  }

  const matches = useMemo(createMatcher, [])
  const actionLabels = actions.map((action) => action.label)
  const unlistedLabels = onSearch ? unlisted.map((option) => option.label) : null
  const filter = (line: string, typed: string) =>
    actionLabels.includes(line) ||
    (unlistedLabels !== null && !unlistedLabels.includes(line)) ||
    matches(line, typed)

  const line = useRef<MarkedLine<Id>>({ hasFocus: false, only: null })
  /** The query for which Enter was pressed before its options arrived. */
  const [awaitedQuery, setAwaitedQuery] = useState<string | null>(null)
  /** The rows are of another text: Enter and Tab take none of them, not even a focused one. */
  const isOutdated = isLoading || (searchedText !== undefined && searchedText.trim() !== query)
  // Keeps a text that is not a selected option: on Enter and Tab, React Aria would empty the box.
  const keepTypedText = (event: KeyboardEvent) => {
    const { hasFocus, only } = line.current
    if (event.ctrlKey || event.metaKey || query === '' || (hasFocus && (!isOutdated || problem))) return
    if (event.key === 'Enter') {
      event.preventDefault()
      if (isOutdated) setAwaitedQuery(query)
    } else if (event.key !== 'Tab' || only !== null || acceptsCustomText) return
    event.stopPropagation()
  }

  // Runs before React Aria restores the text of the last selection.
  const handleBlur = () => {
    const { only } = line.current
    if (query === '') onUnmatchedText?.(null)
    else if (isChoice(only)) choose(isMultiple ? [...ids, only] : [only])
    else if (acceptsCustomText) creation.create()
    else onUnmatchedText?.(query)
  }

  const isClearable = ids.length > 0 && !props.isRequired && !props.isDisabled
  const listError = problem ?? creation.error
  const announcement = (
    <span role="status" className="sr-only">
      {removed}
    </span>
  )
  return (
    <AriaComboBox<Option<Id>, 'single' | 'multiple'>
      validationBehavior="aria"
      allowsEmptyCollection
      {...props}
      selectionMode={isMultiple ? 'multiple' : 'single'}
      value={isMultiple ? ids : (ids[0] ?? null)}
      onChange={handleSelection}
      defaultFilter={filter}
      onInputChange={(typed) => {
        setText(typed)
        setAwaitedQuery(null)
        creation.clearError()
        // Only for typing: the text that React Aria restores on blur is not new.
        if (document.activeElement === input.current) onUnmatchedText?.(null)
        // The best matches are first.
        list.current?.scrollTo(0, 0)
        onSearch?.(!isMultiple && current[0]?.label === typed ? '' : typed)
      }}
      onBlur={(event) => {
        handleBlur()
        props.onBlur?.(event)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Backspace' || !isMultiple || input.current?.value || ids.length === 0) return
        choose(ids.slice(0, -1))
        setRemoved(`Eliminat: ${current.at(-1)?.label}`)
      }}
      isInvalid={!!error}
      className={classNames(fieldClass, className)}
    >
      <FieldLabel label={label} hideLabel={hideLabel} isRequired={props.isRequired} />
      <MarkLine
        query={isOutdated ? '' : query}
        matches={onSearch ? null : matches}
        chosen={isMultiple ? ids : []}
        line={line}
        onOnly={(id) => {
          if (awaitedQuery !== query) return
          setAwaitedQuery(null)
          choose(isMultiple ? [...ids, id] : [id])
        }}
      />
      <Group onKeyDownCapture={keepTypedText} className={classNames(controlClass, controlRing)}>
        <div
          className={classNames(
            'flex min-w-0 flex-1 flex-wrap items-center self-stretch',
            isMultiple && 'gap-2 py-[3px] pl-1',
          )}
        >
          {isMultiple && (
            <ComboBoxValue className={ids.length === 0 ? 'hidden' : 'contents'}>
              {() => (
                <OptionTags
                  label={label}
                  chosen={ids.map((id) => current.find((option) => option.id === id) ?? { id, label: '…' })}
                  isDisabled={props.isDisabled ?? false}
                  onRemove={(removedIds) => {
                    choose(ids.filter((id) => !removedIds.has(id)))
                    if (removedIds.size === ids.length) input.current?.focus()
                  }}
                />
              )}
            </ComboBoxValue>
          )}
          <OpeningInput
            ref={input}
            {...(placeholder && ids.length === 0 ? { placeholder } : {})}
            className={classNames(inputClass, isMultiple ? 'min-h-8 min-w-24 px-2 py-0' : 'truncate')}
          />
        </div>
        {isClearable && (
          <ClearButton
            label={label}
            onPress={() => {
              choose([])
              input.current?.focus()
            }}
          />
        )}
        <AriaButton className="hit-square -my-px flex shrink-0 items-center justify-center rounded-md text-muted hover:text-ink">
          {isLoading ? <Spinner label="Se caută" size={18} /> : <Icon name="chevron-down" size={18} />}
        </AriaButton>
      </Group>
      {isMultiple && announcement}
      <FieldNotes help={help} error={error} />
      <Popover className={choicePopoverClass} offset={4}>
        {/* While the list is open, screen readers do not announce what is outside of the list. */}
        {isMultiple && announcement}
        <p
          role="status"
          className={classNames(
            listError && 'w-0 min-w-full border-b border-line px-3.5 py-2.5 text-sm text-danger',
          )}
        >
          {listError}
        </p>
        <OptionList
          listRef={list}
          options={[...unlisted, ...options]}
          actions={actions}
          emptyText={emptyText}
          isLoading={isLoading}
          onLoadMore={onLoadMore}
          mayGrow={onSearch !== undefined}
        />
      </Popover>
    </AriaComboBox>
  )
}

const isChoice = <Id extends string>(id: Id | null): id is Id => id !== null && id !== CREATE && id !== RETRY

interface MarkedLine<Id extends string> {
  /** Whether a row of the open list has the virtual focus, so that Enter and Tab select the row. */
  hasFocus: boolean
  /**
   * The only option, or the option with exactly the typed name; also selected when the user leaves the field
   * with the pointer.
   */
  only: Id | null
}

/**
 * Focuses the row that Enter and Tab select: the option with exactly the typed name, else the first match.
 * Focuses no row for an empty query or while the list shows options that do not match.
 */
function MarkLine<Id extends string>({
  query,
  matches,
  chosen,
  line,
  onOnly,
}: {
  query: string
  /** Null if `options` are already filtered. */
  matches: ((label: string, typed: string) => boolean) | null
  /** The selected options of a multiple choice: Enter on one of them would remove it. */
  chosen: readonly Id[]
  line: { current: MarkedLine<Id> }
  /** Called when the list has one option only, or an option with exactly the typed name. */
  onOnly: (id: Id) => void
}) {
  const state = useContext(ComboBoxStateContext)
  // Before the next key: Enter takes the row that is marked.
  useLayoutEffect(() => {
    if (!state) return
    const { collection, isOpen, selectionManager } = state
    const items: NonNullable<ReturnType<typeof collection.getItem>>[] = []
    for (let key = collection.getFirstKey(); key !== null; key = collection.getKeyAfter(key)) {
      const item = collection.getItem(key)
      if (item?.type === 'item' && !item.props?.isDisabled) items.push(item)
    }
    const only = items.length === 1 ? items[0] : items.find(({ textValue }) => isSameText(textValue, query))
    const first = items.find(
      ({ key, textValue }) =>
        isChoice(key as Id) && !chosen.includes(key as Id) && (matches?.(textValue, query) ?? true),
    )
    const isSearching = isOpen && query !== ''
    const marked = only ?? first
    // The focused key may belong to a row that is no longer in the list.
    const isFocused = () => items.some(({ key }) => key === selectionManager.focusedKey)
    if (isSearching && marked && !isFocused()) selectionManager.setFocusedKey(marked.key)
    line.current = {
      hasFocus: isOpen && isFocused(),
      only: isSearching && only ? (only.key as Id) : null,
    }
    if (isChoice(line.current.only)) onOnly(line.current.only)
  })
  return null
}

/** The text box; a click opens the list, as the button beside the box does. */
function OpeningInput(props: InputProps & { ref: RefObject<HTMLInputElement | null> }) {
  const state = useContext(ComboBoxStateContext)
  useScrollingList(state?.isOpen ?? false, props.ref)
  return <Input {...props} onClick={() => state?.isOpen || state?.open(null, 'manual')} />
}

/**
 * Keeps the open list beside its field when the form is scrolled; React Aria would close the list and empty
 * the box.
 */
function useScrollingList(isOpen: boolean, input: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    if (!isOpen) return
    const handleScroll = (event: Event) => {
      if (!(event.target instanceof Node && event.target.contains(input.current))) return
      // React Aria adds its listener later, and positions the list again when the window is resized.
      event.stopImmediatePropagation()
      window.dispatchEvent(new Event('resize'))
    }
    window.addEventListener('scroll', handleScroll, true)
    return () => window.removeEventListener('scroll', handleScroll, true)
  }, [isOpen, input])
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
