import { writeFileSync } from 'node:fs'
import { serveSandbox } from '../server/platform/sandbox.ts'

const TASKS: Record<string, () => unknown> = {
  environment: () => Object.keys(process.env),
  write: () => {
    try {
      writeFileSync('/tmp/dosar-sandbox-test', 'x')
      return 'written'
    } catch (error) {
      return (error as NodeJS.ErrnoException).code
    }
  },
  loop: () => {
    for (;;);
  },
  heap: () => {
    const hoard: number[][] = []
    for (;;) hoard.push(new Array<number>(1_000_000).fill(hoard.length))
  },
  buffers: () => {
    const hoard: Buffer[] = []
    for (;;) hoard.push(Buffer.alloc(10_000_000, 1))
  },
  throw: () => {
    throw new Error('no')
  },
}

serveSandbox(async (task: string) => TASKS[task]!())
