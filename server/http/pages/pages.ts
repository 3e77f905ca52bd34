import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { findScreen, type Screen } from '../../../shared/access/site-map.ts'
import type { PublicSite } from '../../../shared/site/site-settings.ts'
import { notFound } from '../../errors.ts'
import { defaultPublicSite, findPublicSite } from '../../features/site/find-public-site.ts'
import { ownApiKey } from '../../features/site/own-api-key.ts'
import { isDatabaseUnavailable } from '../../platform/database/database.ts'
import type { Services } from '../../services.ts'
import { publicTokenCookie } from '../auth/token-cookie.ts'
import { pageHeaders } from '../middleware/security-headers.ts'
import type { Env } from '../types.ts'
import type { FrontEnd } from './front-end.ts'

/** Addresses of programs: what is not found there is not a page. */
const NOT_PAGES = /^\/+(api|assets|builds|files|graphql|healthz|site-images|\.well-known)(\/|$)/

type PageParts = Pick<Services, 'config' | 'db'>

/** Answers with the one page of the front end; null where the front end is not built. */
type PageAnswer = (
  c: Context<Env>,
  page: {
    status: ContentfulStatusCode
    screen?: Screen | undefined
    /** The page says that a file cannot be opened, instead of the screen of its address. */
    isRefusedFile?: boolean
  },
) => Promise<Response | null>

/** Whether a person opens the address in a browser, rather than a program or a part of a page. */
export const isPerson = (c: Context<Env>): boolean => c.req.header('accept')?.includes('text/html') ?? false

/** Returns the function that fills in the page with the site's title, accent and public settings. */
export function createPageAnswer(services: PageParts, frontEnd: FrontEnd): PageAnswer {
  const tokenCookie = publicTokenCookie(ownApiKey(services.config.secret))
  let site = defaultPublicSite()

  return async (c, { status, screen, isRefusedFile = false }) => {
    const template = await frontEnd.readPage(new URL(c.req.url).pathname)
    if (template === null) return null
    try {
      site = await findPublicSite(services.db, services.config)
    } catch (error) {
      // The screen itself says that the server is away, and tries again.
      if (!isDatabaseUnavailable(error)) throw error
    }
    const scripts = (screen && frontEnd.screenScripts[screen]) ?? []
    const page = fillPage(template, site, scripts, isRefusedFile ? status : null)
    return c.html(page, status, {
      'cache-control': 'no-store',
      'set-cookie': tokenCookie,
      ...pageHeaders(services.config, site),
    })
  }
}

/**
 * The front end, at every address that no other route has: its files, and for a screen the one page, filled in with the
 * site's title, accent and public settings. No language prefix, no redirect at the root, no trailing slash [1.1].
 */
export function pageRoutes(services: PageParts, frontEnd: FrontEnd): Hono<Env> {
  const answerPage = createPageAnswer(services, frontEnd)
  const routes = new Hono<Env>()
  routes.get('*', frontEnd.serveFile, async (c) => {
    const { pathname, search } = new URL(c.req.url)
    if (NOT_PAGES.test(pathname)) throw notFound('address')
    if (pathname !== '/' && pathname.endsWith('/')) {
      // One slash in front: `//host/` would lead to another site.
      return c.redirect(`${pathname.replace(/^\/+/, '/').replace(/\/+$/, '') || '/'}${search}`, 308)
    }
    // A person who followed a wrong link gets the page that says so; a program or a missing file, the bare answer.
    const screen = findScreen(pathname)
    const page = screen || isPerson(c) ? await answerPage(c, { status: screen ? 200 : 404, screen }) : null
    if (!page) throw notFound('address')
    return page
  })
  routes.all('*', () => {
    throw notFound('address')
  })
  return routes
}

/**
 * Fills in a page: the accent on `<html>`, title and icon, and what belongs at the end of `<head>` [2.17]. The scripts of
 * the screen are named there, so that they come beside the page's own instead of after it has run. `refusedFile` is the
 * status with which a file was refused (web/main.tsx).
 */
function fillPage(
  template: string,
  site: PublicSite,
  scripts: readonly string[],
  refusedFile: number | null,
): string {
  const title = escapeHtml(site.title)
  const head = [
    `<title>${title}</title>`,
    `<meta property="og:title" content="${title}">`,
    `<meta name="description" content="${title}">`,
    site.favicon === ''
      ? '<link rel="icon" href="/favicon.svg" type="image/svg+xml">'
      : `<link rel="icon" href="${escapeHtml(site.favicon)}"><link rel="apple-touch-icon" href="${escapeHtml(site.favicon)}">`,
    // Not a program for the browser, so the policy lets it be; `<` is escaped lest a setting ends it.
    `<script type="application/json" id="site">${JSON.stringify(site).replaceAll('<', '\\u003c')}</script>`,
    ...(refusedFile ? [`<meta name="refused-file" content="${refusedFile}">`] : []),
    ...scripts.map((name) => `<link rel="modulepreload" crossorigin href="/${name}">`),
  ].join('')
  return template
    .replace(/<title>[^<]*<\/title>/, '')
    .replace(/<link rel="icon"[^>]*>/, '')
    .replace(/(<html[^>]*?)\s+data-accent="[^"]*"/, '$1')
    .replace('<html', () => `<html data-accent="${escapeHtml(site.color_scheme)}"`)
    .replace('</head>', () => `${head}</head>`)
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!)
