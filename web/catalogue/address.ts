import { useLocation } from '@tanstack/react-router'
import type { ColourMode } from '../ui/colour-mode/colour-mode.ts'

/**
 * The parameters of an address of the catalogue:
 * `?component=ui/button&state=principal&mode=dark&accent=sky&width=360`.
 */
export interface Address {
  component: string | null
  /** The only state of the component that is shown; null for all states. */
  state: string | null
  /** The colour mode that the page forces. */
  mode: ColourMode | null
  accent: string
  /** Whether the component is shown in a frame as wide as a phone. */
  isNarrow: boolean
}

const NARROW_WIDTH_PX = '360'
export const DEFAULT_ACCENT = 'lime'

/** Parses a query; invalid and missing parameters get their defaults. */
export function readAddress(query: string): Address {
  const params = new URLSearchParams(query)
  const mode = params.get('mode')
  return {
    component: params.get('component'),
    state: params.get('state'),
    mode: mode === 'light' || mode === 'dark' ? mode : null,
    accent: params.get('accent') ?? DEFAULT_ACCENT,
    isNarrow: params.get('width') === NARROW_WIDTH_PX,
  }
}

/** Returns the address with these parameters; defaults are left out. */
export function writeAddress({ component, state, mode, accent, isNarrow }: Partial<Address>): string {
  const params = new URLSearchParams()
  if (component) params.set('component', component)
  if (state) params.set('state', state)
  if (mode) params.set('mode', mode)
  if (accent && accent !== DEFAULT_ACCENT) params.set('accent', accent)
  if (isNarrow) params.set('width', NARROW_WIDTH_PX)
  const query = params.toString().replaceAll('%2F', '/')
  return query ? `/?${query}` : '/'
}

/** Returns the parameters of the current address. */
export function useAddress(): Address {
  return readAddress(useLocation({ select: ({ searchStr }) => searchStr }))
}
