/** The most characters of a key that the server accepts. */
const MAX_KEY_LENGTH = 500

/**
 * Returns by what a file is recognised when the same folder is dropped again. With the content: series of images have equal
 * names, sizes and times in folders whose names the browser does not tell.
 */
export function fileKey({ path, sha256 }: { path: string; sha256: string }): string {
  const content = `|${sha256}`
  return path.slice(content.length - MAX_KEY_LENGTH) + content
}

/** Returns the name of a batch: the folder that all files are from, or `otherwise`. */
export function nameOfBatch(paths: readonly string[], otherwise: string): string {
  const folders = new Set(paths.map((path) => /^([^/]+)\//.exec(path)?.[1]))
  const [folder] = folders
  return folders.size === 1 && folder ? folder : otherwise
}

export type Sample = { atMs: number; done: number }

/** The time over which the speed of a transfer is measured. */
const MEASURED_MS = 30_000
/** A speed measured over less time says nothing. */
const LEAST_MEASURED_MS = 3_000

/** Returns the samples of the last half minute, and this one. A transfer that began anew forgets the earlier ones. */
export function addSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const last = samples.at(-1)
  if (last && last.done > sample.done) return [sample]
  return [...samples.filter(({ atMs }) => sample.atMs - atMs <= MEASURED_MS), sample]
}

/** Returns how many seconds a transfer of `size` bytes still takes; null while the speed is not known. */
export function secondsLeft(samples: readonly Sample[], size: number): number | null {
  const [first] = samples
  const last = samples.at(-1)
  if (!first || !last || last.atMs - first.atMs < LEAST_MEASURED_MS || last.done <= first.done) return null
  return ((size - last.done) * (last.atMs - first.atMs)) / (last.done - first.done) / 1000
}

/** Returns a duration in words, rounded up: `sub un minut`, `4 min`, `1 h 20 min`. */
export function formatDuration(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (minutes <= 1) return 'sub un minut'
  if (minutes < 60) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
