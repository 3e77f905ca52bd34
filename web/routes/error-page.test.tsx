import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { RouteErrorPage } from './error-page.tsx'

const show = (error: unknown) => renderToStaticMarkup(<RouteErrorPage error={error} />)

it('shows the server-error page, 500, for an error without a status [2.16] [8.12]', () => {
  for (const error of [new Error('bug'), 'thrown', null, undefined, { status: 200 }, { status: '404' }]) {
    expect(show(error)).toContain('500 · ')
    expect(show(error)).toContain('Internal Server Error')
    expect(show(error)).toContain('Eroarea este a aplicației')
  }
})

it('shows the status of an error, and the not-found page for a 404 [2.16] [8.12]', () => {
  expect(show(Object.assign(new Error(), { status: 403 }))).toContain('403 · ')
  expect(show(Object.assign(new Error(), { statusCode: 502 }))).toContain('502 · ')
  expect(show({ status: 404 })).toContain('Page Not Found')
})

it('asks the user to check the network if there was no response [2.16]', () => {
  for (const error of [
    new TypeError('Failed to fetch'),
    new TypeError('NetworkError when attempting to fetch resource.'),
    new TypeError('Load failed'),
    { status: 503 },
  ]) {
    expect(show(error)).toContain('conexiunea la rețea')
  }
  expect(show(new TypeError("Cannot read properties of undefined (reading 'name')"))).toContain(
    'Eroarea este a aplicației',
  )
})

it('shows the time of the error and, for a failed request, its id in the log [2.16]', () => {
  const day = new Date().toLocaleDateString('ro-RO', { day: '2-digit', month: '2-digit', year: 'numeric' })
  expect(show(new Error('bug'))).toContain(day)
  expect(show(new Error('bug'))).not.toContain('cererea')
  const page = show(Object.assign(new Error(), { status: 500, requestId: '0f3c-77' }))
  expect(page).toContain(day)
  expect(page).toContain('cererea 0f3c-77')
})
