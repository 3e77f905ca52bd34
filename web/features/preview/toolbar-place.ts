import { createContext } from 'react'

/**
 * The element of a screen's own toolbar into which a preview puts its buttons, null until it is there. Without it the
 * preview has a toolbar above the document.
 */
export const ToolbarPlace = createContext<HTMLElement | null | undefined>(undefined)
