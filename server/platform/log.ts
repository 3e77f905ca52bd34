export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
/** Fields for programs: ids, codes, durations. Never a name, a CNP, a token or an SQL value. */
export type LogFields = Record<string, string | number | boolean | null | undefined>
export type Log = Record<LogLevel, (event: string, fields?: LogFields) => void>

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

/**
 * Writes one JSON object per line, for events of `minimumLevel` and above. Control characters cannot break a
 * line, since JSON escapes them.
 */
export function createLog(minimumLevel: LogLevel, write: (line: string) => void): Log {
  const at =
    (level: LogLevel) =>
    (event: string, fields: LogFields = {}) => {
      if (LEVELS.indexOf(level) < LEVELS.indexOf(minimumLevel)) return
      write(`${JSON.stringify({ at: new Date().toISOString(), level, event, ...fields })}\n`)
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/**
 * Returns the log fields of an unexpected error: its class, its code and the top of its stack. The message is
 * left out, because database drivers and parsers quote data in it.
 */
export function errorFields(error: unknown): LogFields {
  if (typeof error !== 'object' || error === null) return { error: typeof error }
  // The queue reports copies of errors: objects with a code and a stack, without the class.
  const { code, stack } = error as { code?: unknown; stack?: unknown }
  const frames =
    typeof stack === 'string' ? stack.split('\n').filter((line) => line.startsWith('    at ')) : []
  return {
    error: error instanceof Error ? error.name : 'object',
    code: typeof code === 'string' ? code : undefined,
    stack: frames.slice(0, 8).join('\n'),
  }
}
