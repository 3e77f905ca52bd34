import { type KeyboardEvent, type RefObject, useContext, useEffect } from 'react'
import {
  Button as AriaButton,
  ComboBoxStateContext,
  ComboBoxValue,
  Group,
  Input,
  type InputProps,
} from 'react-aria-components'
import { classNames } from '../base/class-names.ts'
import { Icon } from '../base/icon.tsx'
import { Spinner } from '../base/loading.tsx'
import { ClearButton } from '../controls/clear-button.tsx'
import { controlClass, controlRing, inputClass } from '../controls/field-styles.ts'
import type { ComboBoxProps } from './combo-box-props.ts'
import { OptionTags } from './option-tags.tsx'
import type { useChosenOptions } from './use-chosen-options.ts'

interface ComboBoxControlProps<Id extends string>
  extends Pick<
    ComboBoxProps<Id>,
    'label' | 'placeholder' | 'isMultiple' | 'isRequired' | 'isDisabled' | 'isLoading'
  > {
  choice: Pick<ReturnType<typeof useChosenOptions<Id>>, 'ids' | 'current' | 'choose'>
  inputRef: RefObject<HTMLInputElement | null>
  onKeyDownCapture: (event: KeyboardEvent) => void
}

/** The box of a ComboBox: tags of the choice, text, and buttons that empty the field and open the list. */
export function ComboBoxControl<Id extends string>({
  label,
  placeholder,
  isMultiple = false,
  isRequired = false,
  isDisabled = false,
  isLoading = false,
  choice: { ids, current, choose },
  inputRef,
  onKeyDownCapture,
}: ComboBoxControlProps<Id>) {
  return (
    <Group onKeyDownCapture={onKeyDownCapture} className={classNames(controlClass, controlRing)}>
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
                isDisabled={isDisabled}
                onRemove={(removed) => choose(ids.filter((id) => !removed.has(id)))}
                focusAfterLast={inputRef}
              />
            )}
          </ComboBoxValue>
        )}
        <OpeningInput
          ref={inputRef}
          {...(placeholder && ids.length === 0 ? { placeholder } : {})}
          className={classNames(inputClass, isMultiple ? 'min-h-8 min-w-24 px-2 py-0' : 'truncate')}
        />
      </div>
      {ids.length > 0 && !isRequired && !isDisabled && (
        <ClearButton
          label={label}
          onPress={() => {
            choose([])
            inputRef.current?.focus()
          }}
        />
      )}
      <AriaButton className="hit-square -my-px flex shrink-0 items-center justify-center rounded-md text-muted hover:text-ink">
        {isLoading ? <Spinner label="Se caută" size={18} /> : <Icon name="chevron-down" size={18} />}
      </AriaButton>
    </Group>
  )
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
