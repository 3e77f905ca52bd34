import type { ChoiceProps } from './choice-props.ts'
import type { Option } from './option.ts'
import type { CreateOption } from './use-new-option.ts'

/** Where the options come from. */
interface SourceProps {
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
  /** Called when the list opens or closes; `trigger` is `manual` for a press or an arrow key. */
  onOpenChange?: ((isOpen: boolean, trigger?: string) => void) | undefined
}

/** What happens to a text that is not an option. */
interface TypedTextProps<Id extends string> {
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

export type ComboBoxProps<Id extends string> = ChoiceProps<Id, null> &
  SourceProps &
  TypedTextProps<Id> & {
    /** The initially selected options, which may be missing from `options`. */
    chosen?: Option<Id> | readonly Option<Id>[] | undefined
    /** Shown in the list when nothing matches. */
    emptyText?: string | undefined
  }
