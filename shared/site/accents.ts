/**
 * The colours of the setting `color_scheme`, in the order of the palette; web/styles/tokens.css has their
 * values.
 */
export const ACCENTS = [
  'lime',
  'green',
  'emerald',
  'teal',
  'cyan',
  'sky',
  'blue',
  'indigo',
  'violet',
  'purple',
  'pink',
  'rose',
  'orange',
  'amber',
  'yellow',
] as const
export type Accent = (typeof ACCENTS)[number]

export const ACCENT_NAMES: Readonly<Record<Accent, string>> = {
  lime: 'Verde-lămâie',
  green: 'Verde',
  emerald: 'Smarald',
  teal: 'Turcoaz închis',
  cyan: 'Turcoaz',
  sky: 'Bleu',
  blue: 'Albastru',
  indigo: 'Indigo',
  violet: 'Violet',
  purple: 'Mov',
  pink: 'Roz',
  rose: 'Trandafiriu',
  orange: 'Portocaliu',
  amber: 'Chihlimbar',
  yellow: 'Galben',
}
