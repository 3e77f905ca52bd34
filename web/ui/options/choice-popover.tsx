import type { ReactNode } from 'react'
import { Popover } from 'react-aria-components'
import { choicePopoverClass } from '../base/popover-styles.ts'

/** The popover with the options of a Select or ComboBox. */
export const ChoicePopover = ({ children }: { children: ReactNode }) => (
  <Popover className={choicePopoverClass} offset={4}>
    {children}
  </Popover>
)
