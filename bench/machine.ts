import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

const MIB = 1024 * 1024
/** Milliseconds of one tick of /proc. */
const TICK = 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/**
 * Returns the fields of /proc/<pid>/stat after the name, which may contain spaces: [0] state, [1] parent …
 * (proc(5), minus 3).
 */
function readStat(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    // The process has ended since it was listed.
    return null
  }
}

const ticks = (stat: string[], ...fields: number[]): number =>
  fields.reduce((sum, field) => sum + Number(stat[field]), 0)

/** Returns the milliseconds of processor time of a process, all its threads, user and system. */
export function processorTime(pid: number): number {
  const stat = readStat(pid)
  return stat ? ticks(stat, 11, 12) * TICK : 0
}

/**
 * Returns the milliseconds of processor time of a process with its children, also those that have ended: of PostgreSQL, or of
 * the product with its workers.
 */
export function familyTime(parent: number): number {
  const own = readStat(parent)
  if (!own) return 0
  let sum = ticks(own, 11, 12, 13, 14)
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : null
    if (stat && Number(stat[1]) === parent) sum += ticks(stat, 11, 12)
  }
  return sum * TICK
}

/** Returns the memory of a process in MiB, and its maximum since `resetPeak`. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024
  return { now: read('VmRSS'), peak: read('VmHWM') }
}

/** Resets the maximum. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** Returns one line that describes the machine. */
export function describeMachine(): string {
  const [first] = cpus()
  const memory = Math.round(totalmem() / MIB / 1024)
  return `${cpus().length} × ${first?.model ?? 'processor'}, ${memory} GiB, Node ${process.version}, Linux`
}
