import { describe, expect, it } from 'vitest'
import { isTemporary, readTransferError } from './transfer-errors.ts'

describe('readTransferError', () => {
  it('returns the sentence of the server', () => {
    const body = JSON.stringify({ code: 'CONFLICT', message: 'Fișierul nu a ajuns întreg.' })
    expect(readTransferError(460, body)).toBe('Fișierul nu a ajuns întreg.')
    expect(readTransferError(413, 'Fișier prea mare')).toBe('Fișier prea mare')
  })

  it.each([
    [502, '<html><h1>Bad Gateway</h1></html>'],
    [500, '{"code":"INTERNAL_SERVER_ERROR"}'],
    [500, '{"message":""}'],
    [500, ''],
  ])('returns a general sentence for %i %s', (status, body) => {
    expect(readTransferError(status, body)).toBe('Fișierul nu a putut fi trimis. Încearcă din nou.')
  })

  it('says that the connection was lost if there is no response', () => {
    expect(readTransferError(0, '')).toMatch(/Legătura cu serverul/)
  })
})

describe('isTemporary', () => {
  it.each([
    ['PATCH', 0],
    ['POST', 0],
    ['HEAD', 503],
    ['PATCH', 500],
    ['PATCH', 409],
    ['PATCH', 423],
    ['PATCH', 404],
    ['PATCH', 410],
    ['HEAD', 423],
    ['POST', 423],
  ])('is true for %s with status %i', (method, status) => {
    expect(isTemporary(method, status)).toBe(true)
  })

  it.each([
    ['POST', 409],
    ['POST', 429],
    ['POST', 507],
    ['PATCH', 507],
    ['PATCH', 460],
    ['PATCH', 413],
    ['PATCH', 412],
    ['HEAD', 404],
    ['POST', 404],
    ['POST', 401],
  ])('is false for %s with status %i', (method, status) => {
    expect(isTemporary(method, status)).toBe(false)
  })
})
