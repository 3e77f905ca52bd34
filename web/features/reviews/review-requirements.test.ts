import { describe, expect, it } from 'vitest'
import { listReviewRequirements } from './review-requirements.ts'
import type { Upload } from './upload.queries.ts'

const NOW = new Date(2026, 10, 22, 12, 0).getTime()
/** What the reader may do with another person's upload in review. */
const can = { decide: true, accept: true } as Upload['can']
const isOwn = false
const at = (day: number, hours: number, minutes: number) =>
  new Date(2026, 10, day, hours, minutes).toISOString()

describe('listReviewRequirements', () => {
  const ordinary = { reviewers: 1, release: 'at_once', releaseHours: null } as const
  const first = { reviewerName: 'Ana Pop', acceptedAt: at(22, 10, 32), isOwn: false }

  it('returns nothing for one verdict that releases at once', () => {
    expect(listReviewRequirements({ policy: ordinary, firstAcceptance: null, can, isOwn }, NOW)).toEqual([])
    expect(listReviewRequirements({ policy: null, firstAcceptance: null, can, isOwn }, NOW)).toEqual([])
  })

  it('names the need of two reviewers, and who has accepted already', () => {
    const policy = { ...ordinary, reviewers: 2 }
    expect(listReviewRequirements({ policy, firstAcceptance: null, can, isOwn }, NOW)).toEqual([
      'Necesită două verificări.',
    ])
    expect(listReviewRequirements({ policy, firstAcceptance: first, can, isOwn }, NOW)).toEqual([
      'Necesită două verificări: a acceptat Ana Pop la 10:32.',
    ])
    expect(
      listReviewRequirements({ policy, firstAcceptance: { ...first, isOwn: true }, can, isOwn }, NOW),
    ).toEqual(['Ai acceptat-o la 10:32. A doua verificare o face altcineva.'])
  })

  it('says why the user cannot accept what they filed', () => {
    const own = { policy: ordinary, firstAcceptance: null, can: { ...can, accept: false }, isOwn: true }
    expect(listReviewRequirements(own, NOW)).toEqual(['Ai încărcat-o tu: o acceptă altcineva.'])
    // Where the site allows to accept it, the upload is marked all the same.
    expect(listReviewRequirements({ ...own, can }, NOW)).toEqual([
      'Ai încărcat-o tu: verifici propria încărcare.',
    ])
    const decided = { ...own, can: { ...can, decide: false, accept: false } }
    expect(listReviewRequirements(decided, NOW)).toEqual([])
  })

  it('names the time of the release', () => {
    const later = { ...ordinary, release: 'after_hours', releaseHours: 24 } as const
    expect(listReviewRequirements({ policy: later, firstAcceptance: null, can, isOwn }, NOW)).toEqual([
      'Se eliberează la 24 de ore după acceptare.',
    ])
    const byHand = { ...ordinary, reviewers: 2, release: 'by_hand' as const }
    expect(listReviewRequirements({ policy: byHand, firstAcceptance: null, can, isOwn }, NOW)).toEqual([
      'Necesită două verificări.',
      'După acceptare, așteaptă să fie eliberată.',
    ])
  })
})
