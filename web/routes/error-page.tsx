import { useEffect, useState } from 'react'
import { claimReload, isChunkError } from '../builds/chunk-errors.ts'
import { OrganisationLogo } from '../layouts/organisation-logo.tsx'
import { errorPageProps } from '../page-errors/error-facts.ts'
import { getSite } from '../session/site.ts'
import { productName } from '../ui/icons/logo.tsx'
import { dropTyping } from '../ui/options/typed-ahead.ts'
import { NotFoundPage, ServerErrorPage } from '../ui/page/error-page.tsx'

/**
 * Replaces the screen when a guard, a loader or a component has thrown [2.16]; errors in events and promises
 * are shown by `UnhandledErrorPage`. If an application chunk could not be loaded, reloads the page once, then
 * leaves that to the user [4.12].
 */
export function RouteErrorPage({ error }: { error: unknown }) {
  const isChunk = isChunkError(error)
  const [at] = useState(() => new Date())
  const [isReloading, setReloading] = useState(isChunk)
  useEffect(() => {
    if (!isChunk) return
    // Without a network a reload would replace the application with a page of the browser.
    if (navigator.onLine && claimReload()) window.location.reload()
    else setReloading(false)
  }, [isChunk])
  useEffect(() => {
    if (isReloading) return
    // No screen follows that takes the place of what the server has drawn, or the text that is typed.
    document.getElementById('starting')?.remove()
    dropTyping()
  }, [isReloading])
  if (isReloading) return null
  const props = errorPageProps(error)
  if (props.status === 404) return <NotFoundPage mark={<SiteMark />} />
  return (
    <ServerErrorPage mark={<SiteMark />} {...props} isUnreachable={isChunk || props.isUnreachable} at={at} />
  )
}

/**
 * The logo or the name of the organisation; the product's name if the page does not contain the
 * organisation's.
 */
export function SiteMark() {
  const { name, logo, branding } = getSite()
  return (
    <OrganisationLogo brand={name ? { name, logoUrl: logo, isBranded: branding } : { name: productName }} />
  )
}
