import { Session } from 'node:inspector/promises'

/**
 * Runs `work` and returns how often the function `name` of a source file was called in this process; calls in the sandbox
 * process do not count.
 */
export async function countCalls(file: string, name: string, work: () => Promise<unknown>): Promise<number> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ url }) => url.endsWith(file))
      .flatMap(({ functions }) => functions)
      .filter(({ functionName }) => functionName === name)
      .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0)
  } finally {
    session.disconnect()
  }
}
