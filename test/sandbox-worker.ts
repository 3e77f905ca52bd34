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
    const allocated: number[][] = []
    for (;;) allocated.push(new Array<number>(1_000_000).fill(allocated.length))
  },
  buffers: () => {
    const allocated: Buffer[] = []
    for (;;) allocated.push(Buffer.alloc(10_000_000, 1))
  },
  throw: () => {
    throw new Error('no')
  },
}

serveSandbox(async (task: string) => TASKS[task]!())
