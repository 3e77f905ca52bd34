import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { NonAdminLayout } from './non-admin-layout.tsx'

it('has a fifth layout for people without an account: whose house it is, the content, no places to go [2.14]', () => {
  const page = renderToStaticMarkup(
    <NonAdminLayout brand={{ name: 'Centrul de Diagnostic' }}>
      <p>Rezultatele dumneavoastră</p>
    </NonAdminLayout>,
  )
  expect(page).toContain('Centrul de Diagnostic')
  expect(page).toMatch(/<main[^>]*>.*Rezultatele dumneavoastră/)
  expect(page).not.toContain('<nav')
})
