import type { ComponentType } from 'react'

/** The states of one component by name; the default export of the `*.stories.tsx` beside the component. */
export type Stories = Readonly<Record<string, ComponentType>>
