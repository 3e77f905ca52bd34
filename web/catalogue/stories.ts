import type { ComponentType } from 'react'

/** The states of one piece by name, each a component of its own; the default export of a `*.stories.tsx` beside the piece. */
export type Stories = Readonly<Record<string, ComponentType>>
