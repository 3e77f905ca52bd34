/** Calls `work` with a number of rows, until it has changed fewer rows than that; returns how many it has changed in all. */
export async function inBatches(size: number, work: (limit: number) => Promise<number>): Promise<number> {
  let done = 0
  let last: number
  do {
    last = await work(size)
    done += last
  } while (last === size)
  return done
}
