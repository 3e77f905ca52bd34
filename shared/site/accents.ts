/** The colours that the setting `color_scheme` knows, in the order of the palette; their values are web/styles/tokens.css. */
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
