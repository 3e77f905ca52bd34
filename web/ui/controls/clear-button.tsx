import { Button } from 'react-aria-components'
import { classNames } from '../base/class-names.ts'
import { Icon } from '../base/icon.tsx'

/** The button inside a field's box that empties the field. */
export function ClearButton({
  label,
  onPress,
  className,
}: {
  /** The label of the field. */
  label: string
  onPress: () => void
  className?: string | undefined
}) {
  return (
    <Button
      slot={null}
      aria-label={`Golește: ${label}`}
      onPress={onPress}
      // Keyboard users empty the field with Backspace or Delete in the field itself.
      excludeFromTabOrder
      className={classNames(
        'hit-square -my-px flex shrink-0 cursor-pointer items-center justify-center rounded-md text-muted hover:text-ink',
        className,
      )}
    >
      <Icon name="close" size={18} />
    </Button>
  )
}
