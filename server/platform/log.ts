export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
/** Facts for a machine: ids, codes, durations. Never a name, a CNP, a token or an SQL value. */
export type LogFields = Record<string, string | number | boolean | null | undefined>
export type Log = Record<LogLevel, (event: string, facts?: LogFields) => void>

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

/** One JSON object a line on the given writer; control characters cannot break a line, JSON escapes them. */
export function createLog(least: LogLevel, write: (line: string) => void): Log {
  const at =
    (level: LogLevel) =>
    (event: string, facts: LogFields = {}) => {
      if (LEVELS.indexOf(level) < LEVELS.indexOf(least)) return
      write(`${JSON.stringify({ at: new Date().toISOString(), level, event, ...facts })}\n`)
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/**
 * What may be said of an unforeseen error: its class, its code and where it happened. Its message stays out, since
 * database drivers and parsers quote the data there.
 */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at ')) ?? []
  return { error: error.name, code, stack: frames.slice(0, 8).join('\n') }
}
