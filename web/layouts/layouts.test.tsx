import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
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
