import { createSlotsByKey } from '../../../platform/slots.ts'

/**
 * Runs few transactions of one sender at a time in this process. Those that begin and finish transfers wait for each other's locks, each
 * with a connection of the pool that the requests of all others need.
 */
export const inSenderSlot = createSlotsByKey(4)
