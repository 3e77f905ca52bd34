/** The tabs of the screen /admin as the address names them; without a name, the first. */
export const ADMIN_TABS = ['setari', 'conturi', 'categorii', 'chei', 'mesaje', 'sistem'] as const
