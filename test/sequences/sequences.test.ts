import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { UserError } from '../../server/errors.ts'
import { createTestServer } from '../test-server.ts'
import { COMMANDS } from './commands.ts'
import type { Model } from './model.ts'
import { beginSequence, look, openWorld, requireAgreement, snapshot, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld(await createTestServer({}, afterAll))
})

/** Two of three commands without a crash; the others at one of their first statements, if they have so many. */
const CRASH_AT = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.nat({ max: 25 }) },
)

const step = fc.oneof(
  ...Object.entries(COMMANDS).map(([name, { values, weight = 1 }]) => ({
    weight,
    arbitrary: fc.record({ name: fc.constant(name), values, crashAt: CRASH_AT }),
  })),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
type Seen = Awaited<ReturnType<typeof look>>

/** How often each command was done, refused and ended by a crash. */
const counts = new Map<string, { done: number; refused: number; crashed: number }>()

/** Does every command once, so that none is left out by chance. */
const TOUR: Step[] = [
  ['file', { one: 0, other: 0 }],
  ['hand in', 0],
  ['reject', 4],
  ['undo verdict', 0],
  ['accept', 4],
  ['release', 0],
  ['open', { guest: 0, upload: 0 }],
  ['correct', { upload: 0, institution: null }],
  ['replace', 0],
  ['move files', { one: 0, other: 1 }],
  ['move a released one', { upload: 0, patient: 1, institution: 2 }],
  ['end referral', { referral: 0, isMistaken: false, isYesterday: false }],
  ['reopen referral', 0],
  ['move to another patient', { upload: 0, patient: 0, institution: 2 }],
  ['mark distinct', { one: 0, other: 1 }],
  ['merge', { one: 0, other: 0 }],
  ['refer', { patient: 0, institution: 1, number: 1 }],
  ['undo merge', 0],
  ['correct institution', { one: 0, other: 1 }],
  ['withdraw', 0],
  // The corrected referral is of the second institution.
  ['send', { guest: 1, institution: 1, patient: 1 }],
  ['change sent', { upload: 1, patient: 0, guest: null }],
  ['submit sent', { upload: 1, guest: null }],
  ['withdraw sent', { upload: 0, guest: null }],
].map(([name, values]) => ({ name: String(name), values, crashAt: null }))

/** Runs a step in the product and in the model; returns what the institutions see after it. */
async function run({ name, values, crashAt }: Step, model: Model, seen: Seen): Promise<Seen> {
  const command = COMMANDS[name]!
  const target = command.choose(model, world, values)
  if (target === null) return seen
  const before = await snapshot(world.server)
  const crash = crashAt === null ? null : { at: crashAt, happened: false }
  world.crash = crash
  let outcome: 'done' | 'refused' | 'crashed'
  try {
    const result = await command.act(world, target)
    outcome = crash?.happened ? 'crashed' : 'done'
    if (outcome === 'done') command.apply(model, target, result)
  } catch (error) {
    if (!crash?.happened && !(error instanceof UserError)) throw error
    outcome = crash?.happened ? 'crashed' : 'refused'
  } finally {
    world.crash = null
  }
  model.now += 1
  const count = counts.get(name) ?? { done: 0, refused: 0, crashed: 0 }
  counts.set(name, { ...count, [outcome]: count[outcome] + 1 })
  if (outcome !== 'done') expect(await snapshot(world.server)).toEqual(before)
  const sees = await look(world)
  await requireAgreement(world, model, sees)
  if (!command.maySee)
    for (const [place, { uploads }] of sees.entries())
      expect(seen[place]!.uploads).toEqual(expect.arrayContaining(uploads))
  return sees
}

it('every command does what the model says', async () => {
  const model = await beginSequence(world)
  let seen = await look(world)
  for (const each of TOUR) seen = await run(each, model, seen)
  for (const name of Object.keys(COMMANDS))
    expect([name, counts.get(name)]).toEqual([name, { done: 1, refused: 0, crashed: 0 }])
})

it('in any sequence of changes and crashes no file is lost and institutions see exactly what a model says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 45 }), async (steps) => {
      const model = await beginSequence(world)
      let seen = await look(world)
      await requireAgreement(world, model, seen)
      for (const each of steps) seen = await run(each, model, seen)
    }),
    // Without shrinking, which takes minutes: every step has several transactions.
    { numRuns: 9, endOnFailure: true },
  )
  // The sequences do reach what they are about.
  const total = (outcome: 'done' | 'refused' | 'crashed') =>
    [...counts.values()].reduce((sum, count) => sum + count[outcome], 0)
  expect([total('done') > 60, total('refused') > 5, total('crashed') > 15]).toEqual([true, true, true])
}, 300_000)
