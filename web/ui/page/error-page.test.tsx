import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { NotFoundPage, ServerErrorPage } from './error-page.tsx'

const now = new Date()

it('shows the message of a 404, „Page Not Found” by default [2.16]', () => {
  expect(renderToStaticMarkup(<NotFoundPage mark={null} />)).toContain('Page Not Found')
  expect(renderToStaticMarkup(<NotFoundPage mark={null} message="Page not found: /x" />)).toContain(
    'Page not found: /x',
  )
})

it('shows other statuses as server errors, 500 and „Internal Server Error” by default [2.16]', () => {
  const page = renderToStaticMarkup(<ServerErrorPage mark={null} at={now} />)
  expect(page).toContain('500')
  expect(page).toContain('Internal Server Error')
  expect(renderToStaticMarkup(<ServerErrorPage mark={null} at={now} status={503} />)).toContain('503')
})
