import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { BlankLayout } from './blank-layout.tsx'
import { NonAdminLayout } from './non-admin-layout.tsx'

it('has a fifth layout for users without an account: organisation and content, no navigation [2.14]', () => {
  const page = renderToStaticMarkup(
    <NonAdminLayout brand={{ name: 'Centrul de Diagnostic' }}>
      <p>Rezultatele dumneavoastră</p>
    </NonAdminLayout>,
  )
  expect(page).toContain('Centrul de Diagnostic')
  expect(page).toMatch(/<main[^>]*>.*Rezultatele dumneavoastră/)
  expect(page).not.toContain('<nav')
})

it('shows the product beside the organisation only where the brand says so [1.5]', () => {
  const page = (isBranded?: boolean) =>
    renderToStaticMarkup(
      <BlankLayout brand={{ name: 'Centrul de Diagnostic', isBranded }}>Conținut</BlankLayout>,
    )
  const [branded, unbranded, unknown] = [page(true), page(false), page()]
  expect(unknown).toBe(unbranded)
  expect(unbranded).not.toContain('Dosar')
  expect(branded).toContain('Dosar')
})
