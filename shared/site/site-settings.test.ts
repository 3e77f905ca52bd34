import { describe, expect, it } from 'vitest'
import { findSearchService, searchServiceOrigins } from './search-service.ts'
import { siteSettings } from './site-settings.ts'

const search = (settings: Record<string, unknown>) => findSearchService(siteSettings.parse(settings))

describe('the search service of the settings [1.7]', () => {
  it('is null unless both an application id and a key are set', () => {
    expect(search({})).toBeNull()
    expect(search({ search_application_id: 'ABC123' })).toBeNull()
    expect(search({ search_public_key: 'cheie' })).toBeNull()
  })

  it('has defaults: the smaller client, no recommendations, cached responses', () => {
    expect(search({ search_application_id: 'ABC123', search_public_key: 'cheie' })).toEqual({
      applicationId: 'ABC123',
      publicKey: 'cheie',
      isLite: true,
      recommends: false,
      cachesResponses: true,
    })
  })

  it.each([
    { search_application_id: 'abc.rau.test' },
    { search_application_id: "x; script-src 'unsafe-inline'" },
    { search_application_id: 'A'.repeat(31) },
    { search_application_id: 7 },
    { search_public_key: 'cu spatiu' },
    { search_lite_client: 'da' },
    { search_recommendations: 1 },
    { search_response_cache: null },
  ])('is not read from the invalid settings %j', (settings) => {
    expect(siteSettings.safeParse(settings).success).toBe(false)
  })

  it('has five hosts, each of its application id', () => {
    const service = search({ search_application_id: 'ABC123', search_public_key: 'cheie' })
    expect(searchServiceOrigins(service!)).toHaveLength(5)
    expect(searchServiceOrigins(service!).every((origin) => new URL(origin).origin.includes('abc123'))).toBe(
      true,
    )
  })
})
