import { describe, expect, it } from 'vitest'
import { listReviewRequirements } from './review-requirements.ts'

const NOW = new Date(2026, 10, 22, 12, 0).getTime()
const at = (day: number, hours: number, minutes: number) =>
  new Date(2026, 10, day, hours, minutes).toISOString()

describe('listReviewRequirements', () => {
  const ordinary = { reviewers: 1, release: 'at_once', releaseHours: null } as const
  const first = { reviewerName: 'Ana Pop', acceptedAt: at(22, 10, 32), isOwn: false }

  it('returns nothing for one verdict that releases at once', () => {
    expect(listReviewRequirements({ policy: ordinary, firstAcceptance: null }, NOW)).toEqual([])
    expect(listReviewRequirements({ policy: null, firstAcceptance: null }, NOW)).toEqual([])
  })

  it('names the need of two reviewers, and who has accepted already', () => {
    const policy = { ...ordinary, reviewers: 2 }
    expect(listReviewRequirements({ policy, firstAcceptance: null }, NOW)).toEqual([
      'Necesită două verificări.',
    ])
    expect(listReviewRequirements({ policy, firstAcceptance: first }, NOW)).toEqual([
      'Necesită două verificări: a acceptat Ana Pop la 10:32.',
    ])
    expect(listReviewRequirements({ policy, firstAcceptance: { ...first, isOwn: true } }, NOW)).toEqual([
      'Ai acceptat-o la 10:32. A doua verificare o face altcineva.',
    ])
  })

  it('names the time of the release', () => {
    const later = { ...ordinary, release: 'after_hours', releaseHours: 24 } as const
    expect(listReviewRequirements({ policy: later, firstAcceptance: null }, NOW)).toEqual([
      'Se eliberează la 24 de ore după acceptare.',
    ])
    const byHand = { ...ordinary, reviewers: 2, release: 'by_hand' as const }
    expect(listReviewRequirements({ policy: byHand, firstAcceptance: null }, NOW)).toEqual([
      'Necesită două verificări.',
      'După acceptare, așteaptă să fie eliberată.',
    ])
  })
})
