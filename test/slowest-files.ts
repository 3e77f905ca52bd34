import type { Reporter, TestModule } from 'vitest/node'

const MAX_FILES = 10

/** Ends a run with a list of its slowest test files, so that a file that becomes slow is noticed early. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= MAX_FILES) return
    const files = modules
      .map((module) => ({ path: module.relativeModuleId, seconds: module.diagnostic().duration / 1000 }))
      .sort((one, other) => other.seconds - one.seconds)
      .slice(0, MAX_FILES)
    process.stdout.write(`Slowest ${MAX_FILES} files:\n`)
    for (const { path, seconds } of files) process.stdout.write(`  ${seconds.toFixed(1)} s  ${path}\n`)
  }
}
