import { Button } from 'react-aria-components'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'

/** Empties a field; stands in its box. */
export function ClearButton({
  label,
  onPress,
  excludeFromTabOrder = false,
  className,
}: {
  /** Of the field. */
  label: string
  onPress: () => void
  /** Where the keyboard empties the field otherwise. */
  excludeFromTabOrder?: boolean | undefined
  className?: string | undefined
}) {
  return (
    <Button
      slot={null}
      aria-label={`Golește: ${label}`}
      onPress={onPress}
      excludeFromTabOrder={excludeFromTabOrder}
      className={classNames(
        'hit-square -my-px flex shrink-0 cursor-pointer items-center justify-center rounded-md text-muted hover:text-ink',
        className,
      )}
    >
      <Icon name="close" size={18} />
    </Button>
  )
}
