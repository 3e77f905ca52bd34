import { useState } from 'react'
import { errorMessage, listProblem } from '../../../api/client-error.ts'
import { ComboBox } from '../../../ui/options/combo-box.tsx'
import type { ComboBoxProps } from '../../../ui/options/combo-box-props.ts'
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
  /** The initially selected options, which may be missing from the loaded options. */
  chosen?: Option | readonly Option[] | undefined
  /** Shown in the list when nothing matches. */
  emptyText?: string | undefined
  /** Creates an option from the typed text if no option has this name; rejects with the API's error. */
  onCreate?: CreateOption | undefined
  /** Whether any other text is accepted, with the text as its id; the list is only a help to type. */
  acceptsCustomText?: boolean | undefined
  /** Called after the user selects an option; not called when the form sets the value. */
  onChoose?: ((id: string | null) => void) | undefined
}

/** The source of the options. */
type Source =
  | {
      /** All options, filtered in the browser; or, with `onSearch`, the options that the caller found. */
      options: readonly (Option | OptionGroup)[]
      loadOptions?: undefined
      /** Called with the typed text. */
      onSearch?: ((text: string) => void) | undefined
      isLoading?: boolean | undefined
    }
  | {
      options?: undefined
      /**
       * Called as the user types and scrolls. If it would return other options, the field needs another
       * `key`.
       */
      loadOptions: LoadOptions
      onSearch?: undefined
      isLoading?: undefined
    }

export type AutocompleteProps = CommonProps & Source & { multiple?: false | undefined }
export type MultipleAutocompleteProps = CommonProps & Source & { multiple: true }
type AnyProps = CommonProps & Partial<Source> & { multiple?: boolean | undefined }
type Value = string | readonly string[] | null

const customOption: CreateOption = async (text) => ({ id: text, label: text })

function AutocompleteInput({ context }: InputProps<AnyProps, Value>) {
  const {
    multiple,
    options = [],
    loadOptions,
    onSearch,
    isLoading,
  } = context as InputContext<AnyProps, Value>
  const { placeholder, chosen, emptyText, onCreate, acceptsCustomText, onChoose } = context
  const { customError, setCustomError, error: shownError } = useCustomError(context)
  const [hasQuery, setHasQuery] = useState(false)
  useDraft(context.node, hasQuery || customError !== null)
  const [value, setValue] = useFieldValue(context)
  const loaded = useLoadedOptions(loadOptions)
  const { error = null, ...source } = loaded ?? { options, onSearch, isLoading }
  const shared: Omit<ComboBoxProps<string>, 'value' | 'onChange' | 'isMultiple'> = {
    ...fieldBaseProps(context),
    error: shownError,
    ...source,
    problem: listProblem(error),
    placeholder,
    chosen,
    emptyText,
    onCreate: acceptsCustomText ? customOption : onCreate,
    acceptsCustomText,
    onTypingChange: setHasQuery,
    onUnmatchedText: (text) =>
      setCustomError(text === null ? null : `„${text}” nu este ales. Alege un rând din listă.`),
    describeError: errorMessage,
  }
  return multiple ? (
    <ComboBox {...shared} isMultiple value={(value as readonly string[]) ?? []} onChange={setValue} />
  ) : (
    <ComboBox
      {...shared}
      value={(value as string) || null}
      onChange={(id) => {
        setValue(id)
        onChoose?.(id)
      }}
    />
  )
}

/** A choice by typing: an id or null; with `multiple`, a list of ids. */
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
