import { useEffect, useState } from 'react'
import { claimReload, isChunkError } from '../builds/chunk-errors.ts'
import { OrganisationLogo } from '../layouts/organisation-logo.tsx'
import { getSite } from '../session/site.ts'
import { productName } from '../ui/icons/logo.tsx'
import { NotFoundPage, ServerErrorPage } from '../ui/page/error-page.tsx'

/**
 * Shown in place of everything once a guard, a loader or a screen has thrown [2.16]: nothing of it can be used any more.
 * What throws elsewhere (in an event, in a promise) leaves the screen whole, and with it what somebody is typing: it goes to
 * the console and takes nothing away. A part that did not come is what a reload mends: once, then the person decides [4.12].
 */
export function RouteErrorPage({ error }: { error: unknown }) {
  const isChunk = isChunkError(error)
  const [at] = useState(() => new Date())
  const [isReloading, setReloading] = useState(isChunk)
  useEffect(() => {
    if (!isChunk) return
    if (claimReload()) window.location.reload()
    else setReloading(false)
  }, [isChunk])
  if (isReloading) return null
  const status = findStatus(error)
  if (status === 404) return <NotFoundPage mark={<SiteMark />} />
  return (
    <ServerErrorPage
      mark={<SiteMark />}
      status={status}
      isUnreachable={isChunk || isUnreachable(error, status)}
      requestId={findRequestId(error)}
      at={at}
    />
  )
}

/** The logo or the name of the organisation; the product's where the page does not carry it. */
export function SiteMark() {
  const { name, logo, branding } = getSite()
  return (
    <OrganisationLogo brand={name ? { name, logoUrl: logo, isBranded: branding } : { name: productName }} />
  )
}

/** The server's id of the request that an error is about, where it brings one. */
function findRequestId(error: unknown): string | undefined {
  const { requestId } = Object(error) as Record<string, unknown>
  return typeof requestId === 'string' ? requestId : undefined
}

/** The HTTP status that an error brings with it, from whichever client. */
export function findStatus(error: unknown): number | undefined {
  const { status, statusCode } = Object(error) as Record<string, unknown>
  return [status, statusCode].find(
    (value): value is number => Number.isInteger(value) && Number(value) >= 400 && Number(value) < 600,
  )
}

const NO_RESPONSE = /^(Failed to fetch|NetworkError|Load failed)/

/** Nobody answered, or only what stands before the server did. */
const isUnreachable = (error: unknown, status: number | undefined): boolean =>
  (status !== undefined && [502, 503, 504].includes(status)) ||
  // What Chromium, Firefox and Safari say: `fetch` has no error of its own.
  (error instanceof TypeError && NO_RESPONSE.test(error.message))
