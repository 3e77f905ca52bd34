import { useLocation } from '@tanstack/react-router'
import type { ColourMode } from '../ui/colour-mode/colour-mode.ts'

/** What an address of the catalogue says: `?piece=ui/button&state=principal&mode=dark&accent=sky&width=360`. */
export interface Address {
  piece: string | null
  /** One state of the piece, alone on the page. */
  state: string | null
  /** The colour mode that this page forces. */
  mode: ColourMode | null
  accent: string
  /** The piece in a window as wide as a phone. */
  isNarrow: boolean
}

const NARROW = '360'
export const FIRST_ACCENT = 'lime'

/** Reads a query as `Address` has it; what makes no sense counts as not said. */
export function readAddress(query: string): Address {
  const said = new URLSearchParams(query)
  const mode = said.get('mode')
  return {
    piece: said.get('piece'),
    state: said.get('state'),
    mode: mode === 'light' || mode === 'dark' ? mode : null,
    accent: said.get('accent') ?? FIRST_ACCENT,
    isNarrow: said.get('width') === NARROW,
  }
}

/** The address that says this much and nothing else. */
export function writeAddress({ piece, state, mode, accent, isNarrow }: Partial<Address>): string {
  const said = new URLSearchParams()
  if (piece) said.set('piece', piece)
  if (state) said.set('state', state)
  if (mode) said.set('mode', mode)
  if (accent && accent !== FIRST_ACCENT) said.set('accent', accent)
  if (isNarrow) said.set('width', NARROW)
  const query = said.toString().replaceAll('%2F', '/')
  return query ? `/?${query}` : '/'
}

/** Where the page is now. */
export function useAddress(): Address {
  return readAddress(useLocation({ select: ({ searchStr }) => searchStr }))
}
