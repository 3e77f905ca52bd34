import { counted } from '../../../shared/romania/romanian.ts'
import type { TurnaroundStep } from '../../../shared/uploads/upload-state-list.ts'
import { formatDuration } from '../uploads/format-duration.ts'

/** Returns how long a step took; of the filing only whole days are known. */
export const formatStep = (step: TurnaroundStep, minutes: number): string =>
  step === 'filing' ? formatDays(minutes) : formatDuration(minutes)

function formatDays(minutes: number): string {
  const days = Math.round(minutes / (24 * 60))
  return days === 0 ? 'aceeași zi' : counted(days, 'zi', 'zile')
}

/** Returns the part of the measured results that were in time, in whole percents that are never rounded up to 100. */
export function shareInTime({ measured, late }: { measured: number; late: number }): string {
  const percent = Math.floor(((measured - late) / measured) * 100)
  return `${percent}\u00a0%`
}
// x
