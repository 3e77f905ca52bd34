import { afterEach, vi } from 'vitest'

// Files of one worker share their globals: fake timers that a test leaves would stop the timers of the next file.
afterEach(() => void vi.useRealTimers())
