import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Address } from './address.ts'
import type { Cluster } from './cluster.ts'

type Process = { pid: number; parent: number; uid: number; program: string; command: string }

/** The content of `postmaster.pid`; `unreadable` when the file has no usable process number. */
export type PidFile = { pid: number; address: Address | null; stopping: boolean } | 'unreadable'

/** Returns null when the file does not exist, which means that the last server was shut down. */
export function readPidFile(directory: string): PidFile | null {
  let lines: string[]
  try {
    lines = readFileSync(pidFilePath(directory), 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const [pid = '', , , port = '', socketDirectory = '', listenAddress = '', , status = ''] = lines
  if (!/^[1-9]\d{0,9}$/.test(pid)) return 'unreadable'
  const host = socketDirectory || listenAddress
  const address = host && /^\d+$/.test(port) ? { host, port: Number(port) } : null
  return { pid: Number(pid), address, stopping: status.trim() === 'stopping' }
}

export function pidFilePath(directory: string): string {
  return join(directory, 'postmaster.pid')
}

/**
 * Returns the running processes of this cluster's server, independently of `postmaster.pid`: the postmaster,
 * recognised by its data directory, and `others`, the processes that it started, recognised by the cluster's
 * name in their titles. Zombies do not count as running. On Windows, where command lines are not readable,
 * the process of `postmaster.pid` is returned.
 */
export function findServerProcesses(cluster: Cluster): { postmaster: number | null; others: number[] } {
  const pidFile = readPidFile(cluster.directory)
  const named = pidFile && pidFile !== 'unreadable' ? pidFile.pid : null
  if (process.platform === 'win32')
    return { postmaster: named && isRunning(named) ? named : null, others: [] }
  const uid = cluster.user?.uid ?? process.getuid?.()
  const own = listProcesses().filter((each) => each.uid === uid)
  const servers = own.filter(
    ({ program, command }) => isPostgres(program) && command.includes(` -D ${cluster.directory} -c `),
  )
  // A process that the postmaster has just forked still has its parent's command line.
  const roots = servers.filter(({ parent }) => !servers.some(({ pid }) => pid === parent))
  const postmaster = roots.find(({ pid }) => pid === named) ?? roots[0] ?? null
  const others = own.filter(
    (each) =>
      each !== postmaster &&
      (servers.includes(each) || each.command.startsWith(`postgres: ${cluster.name}: `)),
  )
  return { postmaster: postmaster?.pid ?? null, others: others.map(({ pid }) => pid) }
}

/** Whether `pid` is a running PostgreSQL server, of any data directory. */
export function isPostgresServer(pid: number): boolean {
  const found = listProcesses().find((each) => each.pid === pid)
  return found !== undefined && isPostgres(found.program)
}

function isPostgres(program: string): boolean {
  return program === 'postgres' || program.endsWith('/postgres')
}

/** Whether the process runs. A zombie, which has ended but was not reaped, does not. */
export function isRunning(pid: number): boolean {
  if (process.platform === 'linux') return readProcess(pid) !== null
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Sends the signals in turn and waits the given milliseconds after each; returns true once all processes have
 * ended.
 */
export async function endProcesses(pids: number[], signals: [NodeJS.Signals, number][]): Promise<boolean> {
  for (const [signal, milliseconds] of signals) {
    for (const pid of pids.filter(isRunning)) sendSignal(pid, signal)
    if (await waitForEnd(pids, milliseconds)) return true
  }
  return false
}

export async function waitForEnd(pids: number[], milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds
  while (pids.some(isRunning)) {
    if (Date.now() > deadline) return false
    await pause(25)
  }
  return true
}

function sendSignal(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function listProcesses(): Process[] {
  if (process.platform !== 'linux') return listProcessesByPs()
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((found) => found !== null)
}

/**
 * Returns null for a process that has ended. Reads neither `exe` nor `cwd`, which a container without
 * CAP_SYS_PTRACE may not read of other users' processes.
 */
function readProcess(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return null
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    const { uid } = statSync(`/proc/${pid}`)
    return { pid, parent: Number(parent), uid, program: words[0] ?? '', command: words.join(' ') }
  } catch {
    return null
  }
}

function listProcessesByPs(): Process[] {
  return execFileSync('ps', ['-axww', '-o', 'pid=,ppid=,uid=,stat=,command='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .filter((match) => !match[4]?.startsWith('Z'))
    .map(([, pid, parent, uid, , command = '']) => ({
      pid: Number(pid),
      parent: Number(parent),
      uid: Number(uid),
      program: command.split(' -D ', 1)[0] ?? '',
      command,
    }))
}
