/** How a patient prefers to be notified. */
export const CHANNELS = ['email', 'phone', 'paper'] as const
export type Channel = (typeof CHANNELS)[number]
export const CHANNEL_NAMES: Readonly<Record<Channel, string>> = {
  email: 'E-mail',
  phone: 'Telefon',
  paper: 'Pe hârtie',
}
