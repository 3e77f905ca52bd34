/** The tabs of the screen /admin by their name in the address; without a name, the first tab is shown. */
export const ADMIN_TABS = [
  'setari',
  'conturi',
  'categorii',
  'integrari',
  'chei',
  'mesaje',
  'incidente',
  'sistem',
] as const
