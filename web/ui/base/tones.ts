/** The meaning of a colour. A colour is never the only sign: an icon and a word say the same. */
export type Tone = 'neutral' | 'accent' | 'info' | 'success' | 'warning' | 'danger'

/** The classes of text, background tint and border. */
export const tones: Record<Tone, string> = {
  neutral: 'border-line bg-sunken text-muted',
  accent: 'border-accent-mark/30 bg-accent-soft text-accent-ink',
  info: 'border-info-line bg-info-soft text-info',
  success: 'border-success-line bg-success-soft text-success',
  warning: 'border-warning-line bg-warning-soft text-warning',
  danger: 'border-danger-line bg-danger-soft text-danger',
}
