import { expect, it } from 'vitest'
import { planPatients } from './patients.ts'
import { after, DAY, HOUR } from './time.ts'
import { planUploads } from './uploads.ts'

/** Unusual hours and each day of the week: the demo is seeded at any time. */
const MOMENTS = Array.from({ length: 40 }, (_, i) =>
  after(new Date('2026-02-27T00:00:00Z'), i * (3 * DAY + 7 * HOUR)),
)

it('keeps every history in order for any current time', () => {
  for (const now of MOMENTS) {
    const patients = planPatients(now)
    const referrals = patients.map(({ id }) => ({
      patientId: id,
      institutionId: 'clinic',
      institution: 'Clinica',
      doctor: 'Dr. Vlad Hățieganu',
    }))
    const users = new Map([['clinic', 'user']])
    const staff = {
      registrarId: 'registrar',
      reviewerIds: ['one', 'two'],
      institutionUsers: users,
      uploaders: users,
    }
    const plans = planUploads(now, patients, referrals, staff)
    expect(plans.length).toBeGreaterThan(140)
    for (const { row, reviews, opening, referral } of plans) {
      const seen = patients.find(({ id }) => id === referral.patientId)!
      const steps = [
        seen.created_at,
        row.created_at,
        ...reviews.map(({ created_at }) => created_at),
        row.released_at,
        row.state_since,
        now,
      ].filter((step) => step !== null) as Date[]
      expect(steps).toEqual([...steps].sort((a, b) => a.getTime() - b.getTime()))
      if (!opening) continue
      expect(opening.opened_at > (row.released_at as Date)).toBe(true)
      expect((opening.downloaded_at ?? now) <= now).toBe(true)
    }
    const replaced = plans.filter(({ row }) => row.state === 'replaced')
    for (const { row } of replaced) {
      const next = plans.find(({ row: { replaces_id } }) => replaces_id === row.id)!
      expect(next.row.released_at).toEqual(row.state_since)
      expect(next.row.created_at > (row.released_at as Date)).toBe(true)
    }
  }
})
