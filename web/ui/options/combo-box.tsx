import { type KeyboardEvent, type Ref, useContext, useEffect, useMemo, useRef, useState } from 'react'
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
  /** What is chosen at first, where it may not be among `options`. */
  chosen?: Option<Id> | readonly Option<Id>[] | undefined
  /**
   * Where the answers come from the server: called as the person types; `options` are then shown as they are, not
   * filtered again.
   */
  onSearch?: ((text: string) => void) | undefined
  isLoading?: boolean | undefined
  /** The text that `options` answer, where a server brings them: for another one no row is marked. */
  answered?: string | undefined
  /** More answers wait at the end of the list. */
  onLoadMore?: (() => void) | undefined
  /** Why there are no answers, or no more. */
  problem?: string | null | undefined
  /** Asks again, after a problem. */
  onRetry?: (() => void) | undefined
  /** In the list when nothing matches. */
  emptyText?: string | undefined
  /** Makes an option of the text, where there is none of that name. */
  onCreate?: CreateOption<Id> | undefined
  /** What is typed and not there is taken for a choice, also when the field is left: `onCreate` only names it. */
  acceptsCustomText?: boolean | undefined
  /** Whether a text stands in the box that is no choice yet, each time that it changes. */
  onTypingChange?: ((isAsking: boolean) => void) | undefined
  /** A text was left that is no choice, and is gone; null once the person goes on. */
  onUnmatchedText?: ((text: string | null) => void) | undefined
  /** The sentence of what `onCreate` was refused with. */
  describeRefusal?: ((error: unknown) => string) | undefined
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

/** A choice of one or of several by typing. */
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
  answered,
  onLoadMore,
  problem = null,
  onRetry,
  emptyText = 'Nimic găsit',
  onCreate,
  describeRefusal,
  acceptsCustomText = false,
  onTypingChange,
  onUnmatchedText,
  ...props
}: ComboBoxProps<Id>) {
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const ids = useSameIds(value === null ? [] : ([value].flat() as Id[]))
  /** What was chosen here, though the list may show other things by now. */
  const [kept, setKept] = useState<readonly Option<Id>[]>([])
  /** What was made here: from now on there is such an option. */
  const [created, setCreated] = useState<readonly Option<Id>[]>([])
  /** What stands in the box. */
  const [text, setText] = useState('')
  /** What Backspace has taken out, to be read aloud. */
  const [removed, setRemoved] = useState('')

  const flat = useMemo(() => flatOptions(options), [options])
  const known = [...flat, ...created, ...[chosen ?? []].flat(), ...kept] as Option<Id>[]
  const current = ids.flatMap((id) => known.find((option) => option.id === id) ?? [])
  const unlisted = [
    ...new Map([...current, ...created].map((option) => [option.id, option])).values(),
  ].filter(({ id }) => !flat.some((option) => option.id === id))
  // What stands in the box after a choice is no question.
  const question = !isMultiple && current[0]?.label === text ? '' : text.trim()

  const isAsking = question !== ''
  useEffect(() => onTypingChange?.(isAsking), [isAsking, onTypingChange])

  const choose = (next: readonly Id[]) => {
    setRemoved('')
    onUnmatchedText?.(null)
    setKept(next.flatMap((id) => known.find((option) => option.id === id) ?? []))
    onChange((isMultiple ? [...next] : (next[0] ?? null)) as Id & Id[])
  }
  const creation = useNewOption({
    question: isLoading || problem ? '' : question,
    isThere: known,
    onCreate,
    verb: acceptsCustomText ? 'Folosește' : 'Adaugă',
    describeRefusal,
    onCreated: (option) => {
      // In the list before it is chosen: React Aria reads there what it writes into the box.
      flushSync(() => setCreated((before) => [...before, option]))
      onChange((isMultiple ? [...ids, option.id] : option.id) as Id & Id[])
    },
  })
  const actions: Option[] = [
    ...(problem && onRetry ? [{ id: RETRY, label: 'Încearcă din nou', icon: 'retry' as const }] : []),
    ...(creation.line ? [{ ...creation.line, id: CREATE }] : []),
  ]
  const take = (next: unknown) => {
    const taken = next === null ? [] : ([next].flat() as Id[])
    if (taken.includes(RETRY as Id)) onRetry?.()
    else if (taken.includes(CREATE as Id)) creation.create()
    else choose(taken)
  }

  const matches = useMemo(createMatcher, [])
  const always = actions.map((action) => action.label)
  const filtered = onSearch ? unlisted.map((option) => option.label) : null
  const filter = (line: string, typed: string) =>
    always.includes(line) || (filtered !== null && !filtered.includes(line)) || matches(line, typed)

  const line = useRef<MarkedLine<Id>>({ hasFocus: false, only: null })
  /** The text for which Enter was pressed before its answer was there. */
  const [awaited, setAwaited] = useState<string | null>(null)
  // A text that is no choice yet stays, to be gone on with or to be told as it is left: React Aria would empty the box.
  const keepText = (event: KeyboardEvent) => {
    const { hasFocus, only } = line.current
    if (event.ctrlKey || event.metaKey || question === '' || hasFocus) return
    if (event.key === 'Enter') {
      event.preventDefault()
      if (isLoading) setAwaited(question)
    } else if (event.key !== 'Tab' || only !== null || acceptsCustomText) return
    event.stopPropagation()
  }

  // React Aria is about to put the last choice back into the box.
  const leave = () => {
    const { only } = line.current
    if (question === '') onUnmatchedText?.(null)
    else if (isChoice(only)) choose(isMultiple ? [...ids, only] : [only])
    else if (acceptsCustomText) creation.create()
    else onUnmatchedText?.(question)
  }

  const isClearable = ids.length > 0 && !props.isRequired && !props.isDisabled
  const trouble = problem ?? creation.refusal
  const notice = (
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
      onChange={take}
      defaultFilter={filter}
      onInputChange={(typed) => {
        setText(typed)
        setAwaited(null)
        creation.forgetRefusal()
        // Only typing: what React Aria puts back when the field is left is no new text.
        if (document.activeElement === input.current) onUnmatchedText?.(null)
        // What answers best stands first.
        list.current?.scrollTo(0, 0)
        onSearch?.(!isMultiple && current[0]?.label === typed ? '' : typed)
      }}
      onBlur={(event) => {
        leave()
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
        question={isLoading || (answered !== undefined && answered.trim() !== question) ? '' : question}
        matches={onSearch ? null : matches}
        chosen={isMultiple ? ids : []}
        line={line}
        onOnly={(id) => {
          if (awaited !== question) return
          setAwaited(null)
          choose(isMultiple ? [...ids, id] : [id])
        }}
      />
      <Group onKeyDownCapture={keepText} className={classNames(controlClass, controlRing)}>
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
                  onRemove={(gone) => {
                    choose(ids.filter((id) => !gone.has(id)))
                    if (gone.size === ids.length) input.current?.focus()
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
      {isMultiple && notice}
      <FieldNotes help={help} error={error} />
      <Popover className={choicePopoverClass} offset={4}>
        {/* While the list is open, what lies outside of it is not read aloud. */}
        {isMultiple && notice}
        <p
          role="status"
          className={classNames(
            trouble && 'w-0 min-w-full border-b border-line px-3.5 py-2.5 text-sm text-danger',
          )}
        >
          {trouble}
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
  /** Enter and Tab take a line of the open list. */
  hasFocus: boolean
  /** The only line, or the one of exactly this name: taken also when the field is left by the pointer. */
  only: Id | null
}

/**
 * Marks the line that Enter and Tab take: the one of exactly this name, else the first that matches. Marks none for an empty
 * question, nor in a list that shows more than what matches.
 */
function MarkLine<Id extends string>({
  question,
  matches,
  chosen,
  line,
  onOnly,
}: {
  question: string
  /** Null where the options are the matches already. */
  matches: ((label: string, typed: string) => boolean) | null
  /** Of several: Enter on one of them would take it out. */
  chosen: readonly Id[]
  line: { current: MarkedLine<Id> }
  /** Called while the list has one choice only, or one of exactly this name. */
  onOnly: (id: Id) => void
}) {
  const state = useContext(ComboBoxStateContext)
  useEffect(() => {
    if (!state) return
    const { collection, isOpen, selectionManager } = state
    const items: NonNullable<ReturnType<typeof collection.getItem>>[] = []
    for (let key = collection.getFirstKey(); key !== null; key = collection.getKeyAfter(key)) {
      const item = collection.getItem(key)
      if (item?.type === 'item' && !item.props?.isDisabled) items.push(item)
    }
    const only =
      items.length === 1 ? items[0] : items.find(({ textValue }) => isSameText(textValue, question))
    const first = items.find(
      ({ key, textValue }) =>
        isChoice(key as Id) && !chosen.includes(key as Id) && (matches?.(textValue, question) ?? true),
    )
    const isAsked = isOpen && question !== ''
    const marked = only ?? first
    // A row that has left the list may still be the focused one.
    const isFocused = () => items.some(({ key }) => key === selectionManager.focusedKey)
    if (isAsked && marked && !isFocused()) selectionManager.setFocusedKey(marked.key)
    line.current = {
      hasFocus: isOpen && isFocused(),
      only: isAsked && only ? (only.key as Id) : null,
    }
    if (isChoice(line.current.only)) onOnly(line.current.only)
  })
  return null
}

/** The box to type in; a press opens the list, as the button beside it does. */
function OpeningInput(props: InputProps & { ref: Ref<HTMLInputElement> }) {
  const state = useContext(ComboBoxStateContext)
  return <Input {...props} onClick={() => state?.isOpen || state?.open(null, 'manual')} />
}

/** The ids, the same array for as long as they are the same: a new one empties what was typed. */
function useSameIds<Id extends string>(ids: readonly Id[]): readonly Id[] {
  const last = useRef(ids)
  if (ids.length !== last.current.length || ids.some((id, place) => id !== last.current[place]))
    last.current = ids
  return last.current
}
