import { useState } from 'react'
import { errorMessage, listProblem } from '../../../api/client-error.ts'
import { ComboBox, type ComboBoxProps } from '../../../ui/options/combo-box.tsx'
import type { Option, OptionGroup } from '../../../ui/options/option.ts'
import type { LoadOptions } from '../../../ui/options/option-loader.ts'
import { useLoadedOptions } from '../../../ui/options/use-loaded-options.ts'
import type { CreateOption } from '../../../ui/options/use-new-option.ts'
import { useCustomError } from '../../core/custom-error.ts'
import {
  defineInput,
  fieldBaseProps,
  type InputContext,
  type InputDefinition,
  type InputProps,
  useFieldValue,
} from '../../core/input.ts'
import { useDraft } from '../../saved-form/draft.ts'

interface CommonProps {
  placeholder?: string | undefined
  /** What the field starts with, where it may not be among the options that are here. */
  chosen?: Option | readonly Option[] | undefined
  /** In the list when nothing matches. */
  emptyText?: string | undefined
  /** Makes an option of what was typed, where there is none of that name; rejects as the API does. */
  onCreate?: CreateOption | undefined
  /** Any other text is a choice too, and its own id; the list only helps to write it. */
  acceptsCustomText?: boolean | undefined
  /** After a choice by the person; not where the form itself writes into the field. */
  onChoose?: ((id: string | null) => void) | undefined
}

/** Where the options come from. */
type Source =
  | {
      /** All there are, filtered here … */
      options: readonly (Option | OptionGroup)[]
      loadOptions?: undefined
      /** … or what the caller has found for the text that `onSearch` told. */
      onSearch?: ((text: string) => void) | undefined
      isLoading?: boolean | undefined
    }
  | {
      options?: undefined
      /** Asked as the person types and scrolls; where its answers become others, give the field another `key`. */
      loadOptions: LoadOptions
      onSearch?: undefined
      isLoading?: undefined
    }

export type AutocompleteProps = CommonProps & Source & { multiple?: false | undefined }
export type MultipleAutocompleteProps = CommonProps & Source & { multiple: true }
type AnyProps = CommonProps & Partial<Source> & { multiple?: boolean | undefined }
type Value = string | readonly string[] | null

const asOption: CreateOption = async (text) => ({ id: text, label: text })

function AutocompleteInput({ context }: InputProps<AnyProps, Value>) {
  const {
    multiple,
    options = [],
    loadOptions,
    onSearch,
    isLoading,
  } = context as InputContext<AnyProps, Value>
  const { placeholder, chosen, emptyText, onCreate, acceptsCustomText, onChoose } = context
  const { fault, setFault, error: shownError } = useCustomError(context)
  const [isAsking, setAsking] = useState(false)
  useDraft(context.node, isAsking || fault !== null)
  const [value, setValue] = useFieldValue(context)
  const loaded = useLoadedOptions(loadOptions)
  const { error = null, ...source } = loaded ?? { options, onSearch, isLoading }
  const look: Omit<ComboBoxProps<string>, 'value' | 'onChange' | 'isMultiple'> = {
    ...fieldBaseProps(context),
    error: shownError,
    ...source,
    problem: listProblem(error),
    placeholder,
    chosen,
    emptyText,
    onCreate: acceptsCustomText ? asOption : onCreate,
    acceptsCustomText,
    onTypingChange: setAsking,
    onUnmatchedText: (text) =>
      setFault(text === null ? null : `„${text}” nu este ales. Alege un rând din listă.`),
    describeError: errorMessage,
  }
  return multiple ? (
    <ComboBox {...look} isMultiple value={(value as readonly string[]) ?? []} onChange={setValue} />
  ) : (
    <ComboBox
      {...look}
      value={(value as string) || null}
      onChange={(id) => {
        setValue(id)
        onChoose?.(id)
      }}
    />
  )
}

/** A choice by typing: an id or null, with `multiple` a list of ids. */
export const autocomplete = defineInput<AnyProps, Value>(AutocompleteInput, [
  'multiple',
  'options',
  'loadOptions',
  'onSearch',
  'isLoading',
  'placeholder',
  'chosen',
  'emptyText',
  'onCreate',
  'acceptsCustomText',
  'onChoose',
]) as
  | InputDefinition<AutocompleteProps, string | null>
  | InputDefinition<MultipleAutocompleteProps, readonly string[]>
