import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { HOSTILE_ADDRESSES } from '../../e2e/harness/hostile-addresses.ts'
import { signedInTarget, signInAddress } from './sign-in-address.ts'

const origin = 'http://localhost'

beforeEach(() => {
  vi.stubGlobal('location', { origin })
  onTestFinished(() => void vi.unstubAllGlobals())
})

describe('signedInTarget', () => {
  it('returns the requested path with its query and fragment [2.20]', () => {
    for (const path of [
      '/',
      '/logs?action=patient.create',
      '/uploads/1#page=2',
      '/patients?q=Ș%20Ț&x=//y',
      '/a:b',
    ])
      expect(signedInTarget(path)).toBe(new URL(path, origin).href.slice(origin.length))
  })

  it('accepts an absolute address of this site, which the protocol returns [2.20]', () => {
    expect(signedInTarget('http://localhost/logs?action=a#b')).toBe('/logs?action=a#b')
  })

  it('never returns another site or a script [2.20]', () => {
    expect(HOSTILE_ADDRESSES.length).toBeGreaterThanOrEqual(25)
    for (const address of HOSTILE_ADDRESSES) {
      const path = signedInTarget(address)
      expect([address, path]).toEqual([address, expect.stringMatching(/^\/(?![/\\])/)])
      expect([address, new URL(path, origin).origin]).toEqual([address, origin])
    }
  })

  it('returns the first screen if the address names no path of this site [2.20]', () => {
    for (const address of [
      undefined,
      '',
      'uploads',
      '?q=1',
      '//',
      '/.//',
      'http://localhost',
      'http://localhost//evil.example/',
      'http://localhost.evil.example/',
      '/\\[',
    ])
      expect([address, signedInTarget(address)]).toEqual([address, '/uploads'])
  })
})

it('signInAddress contains the reason and the path to return to [2.20] [8.4]', () => {
  const read = (address: string) => Object.fromEntries(new URL(address, origin).searchParams)
  expect(read(signInAddress('/logs?action=a&b=c#d'))).toEqual({
    error: 'SessionRequired',
    callbackUrl: '/logs?action=a&b=c#d',
  })
})
