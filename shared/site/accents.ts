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
