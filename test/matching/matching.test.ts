import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { createTestServer } from '../test-server.ts'
import { describeMeasurement, measureMatching } from './measure.ts'

const DOCUMENTED = '1'
/** Others are tried by hand: `MATCHING_SEEDS=2,3,4 npx vitest run test/matching`. */
const SEEDS = process.env.MATCHING_SEEDS?.split(',') ?? [DOCUMENTED]

/** Returns the documentation without what aligns its tables. */
const readFigures = () =>
  readFileSync('docs/matching.md', 'utf8').replace(/ +/g, ' ').replace(/-{3,}/g, '---')

describe('the patient of 5,000 generated documents', () => {
  it.each(SEEDS)(
    'is never the wrong one where it is sure, and mostly sure (seed %s)',
    async (seed) => {
      const server = await createTestServer({}, afterAll)
      const measured = await measureMatching(server.db, seed)
      const described = describeMeasurement(measured)
      if (seed !== DOCUMENTED) console.log(seed, described)
      expect(measured.wrong).toEqual([])
      expect(measured.patients).toBeGreaterThan(20_000)
      expect(measured.documents).toBe(5_000)
      expect(measured.byCnp.sure / measured.byCnp.documents).toBeGreaterThanOrEqual(0.9)
      expect(measured.byName.sure / measured.byName.documents).toBeGreaterThanOrEqual(0.6)
      expect(measured.millisecondsEach).toBeLessThan(5)
      if (seed === DOCUMENTED) expect(readFigures()).toContain(described)
    },
    60_000,
  )
})
