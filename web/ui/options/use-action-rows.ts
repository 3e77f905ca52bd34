import type { ComboBoxProps } from './combo-box-props.ts'
import type { Option } from './option.ts'
import type { useChosenOptions } from './use-chosen-options.ts'
import { useNewOption } from './use-new-option.ts'

/** A row below the options that acts instead of being chosen. */
interface ActionRow extends Option {
  run: () => void
}

/** Returns the rows that retry a failed request and create an option from the typed text. */
export function useActionRows<Id extends string>(
  {
    isLoading,
    problem,
    onRetry,
    onCreate,
    acceptsCustomText,
    describeError,
  }: Pick<
    ComboBoxProps<Id>,
    'isLoading' | 'problem' | 'onRetry' | 'onCreate' | 'acceptsCustomText' | 'describeError'
  >,
  query: string,
  { known, chooseCreated }: Pick<ReturnType<typeof useChosenOptions<Id>>, 'known' | 'chooseCreated'>,
) {
  const creation = useNewOption({
    query: isLoading || problem ? '' : query,
    existing: known,
    onCreate,
    verb: acceptsCustomText ? 'Folosește' : 'Adaugă',
    describeError,
    onCreated: chooseCreated,
  })
  const actions: ActionRow[] = []
  if (problem && onRetry)
    actions.push({ id: 'action retry', label: 'Încearcă din nou', icon: 'retry', run: onRetry })
  if (creation.line) actions.push({ ...creation.line, id: 'action create', run: creation.create })
  return { actions, creation }
}
