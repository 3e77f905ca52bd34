import { describe, expect, it } from 'vitest'
import { isTemporary, readTransferError } from './transfer-errors.ts'

describe('readTransferError', () => {
  it('shows the sentence that the server sent', () => {
    const body = JSON.stringify({ code: 'CONFLICT', message: 'Fișierul nu a ajuns întreg.' })
    expect(readTransferError(460, body)).toBe('Fișierul nu a ajuns întreg.')
    expect(readTransferError(413, 'Fișier prea mare')).toBe('Fișier prea mare')
  })

  it.each([
    [502, '<html><h1>Bad Gateway</h1></html>'],
    [500, '{"code":"INTERNAL_SERVER_ERROR"}'],
    [500, '{"message":""}'],
    [500, ''],
  ])('has a sentence of its own for %i %s', (status, body) => {
    expect(readTransferError(status, body)).toBe('Fișierul nu a putut fi trimis. Încearcă din nou.')
  })

  it('says that the connection broke where nobody answered', () => {
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
  ])('tries again: %s answered %i', (method, status) => {
    expect(isTemporary(method, status)).toBe(true)
  })

  it.each([
    ['POST', 409],
    ['POST', 429],
    ['POST', 507],
    ['PATCH', 507],
    ['PATCH', 460],
    ['PATCH', 413],
    ['PATCH', 404],
    ['POST', 401],
  ])('gives up: %s answered %i', (method, status) => {
    expect(isTemporary(method, status)).toBe(false)
  })
})
