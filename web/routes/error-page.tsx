import { useEffect, useState } from 'react'
import { claimReload, isChunkError } from '../builds/chunk-errors.ts'
import { OrganisationLogo } from '../layouts/organisation-logo.tsx'
import { getSite } from '../session/site.ts'
import { productName } from '../ui/icons/logo.tsx'
import { NotFoundPage, ServerErrorPage } from '../ui/page/error-page.tsx'

/**
 * Replaces the screen when a guard, a loader or a component has thrown [2.16]. Errors in events and promises
 * do not get here: they are logged to the console and the screen, with its unsaved input, stays. If an
 * application chunk could not be loaded, reloads the page once, then leaves that to the user [4.12].
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

/** Returns the server's id of the request that failed; undefined if the error has none. */
function findRequestId(error: unknown): string | undefined {
  const { requestId } = Object(error) as Record<string, unknown>
  return typeof requestId === 'string' ? requestId : undefined
}

/** Returns the HTTP status of an error of any client; undefined if it has none. */
export function findStatus(error: unknown): number | undefined {
  const { status, statusCode } = Object(error) as Record<string, unknown>
  return [status, statusCode].find(
    (value): value is number => Number.isInteger(value) && Number(value) >= 400 && Number(value) < 600,
  )
}

const NO_RESPONSE = /^(Failed to fetch|NetworkError|Load failed)/

/** Whether there was no response, or only a gateway's. */
const isUnreachable = (error: unknown, status: number | undefined): boolean =>
  (status !== undefined && [502, 503, 504].includes(status)) ||
  // The texts of Chromium, Firefox and Safari: `fetch` has no error class of its own.
  (error instanceof TypeError && NO_RESPONSE.test(error.message))
