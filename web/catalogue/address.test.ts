import { describe, expect, it } from 'vitest'
import { type Address, readAddress, writeAddress } from './address.ts'

describe('addresses of the catalogue', () => {
  it('are parsed back as written', () => {
    const addresses: Address[] = [
      { component: null, state: null, mode: null, accent: 'lime', isNarrow: false },
      { component: 'ui/button', state: 'în lucru', mode: 'dark', accent: 'sky', isNarrow: true },
      { component: 'forms/text', state: '100 % & mai mult', mode: 'light', accent: 'lime', isNarrow: false },
    ]
    for (const address of addresses) expect(readAddress(writeAddress(address).slice(1))).toEqual(address)
  })

  it('force only existing colour modes [4.6]', () => {
    expect(readAddress('?mode=dark').mode).toBe('dark')
    for (const mode of ['', 'system', 'Dark', 'sepia']) expect(readAddress(`?mode=${mode}`).mode).toBeNull()
  })
})
