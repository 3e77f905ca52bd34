import { type Context, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { findScreen, type Screen } from '../../../shared/access/site-map.ts'
import type { PublicSite } from '../../../shared/site/site-settings.ts'
import { notFound } from '../../errors.ts'
import { defaultPublicSite, findPublicSite } from '../../features/site/find-public-site.ts'
import { ownApiKey } from '../../features/site/own-api-key.ts'
import { isDatabaseUnavailable } from '../../platform/database/database.ts'
import type { Services } from '../../services.ts'
import { SESSION_COOKIE } from '../auth/authenticate.ts'
import { publicTokenCookie } from '../auth/token-cookie.ts'
import { pageHeaders } from '../middleware/security-headers.ts'
import type { Env } from '../types.ts'
import { escapeHtml } from './escape-html.ts'
import { type FirstQuestion, findFirstQuestions } from './first-questions.ts'
import type { FrontEnd } from './front-end.ts'
import { isBehindSignIn } from './screen-modules.ts'
import { startingFrame } from './starting-frame.ts'

/** Addresses for programs: an unknown address below them gets no page. */
const NOT_PAGES = /^\/+(api|assets|builds|files|graphql|healthz|site-images|\.well-known)(\/|$)/

type PageServices = Pick<Services, 'config' | 'db'>

/** Responds with the page of the front end; null when the front end is not built. */
export type RenderPage = (
  c: Context<Env>,
  page: {
    status: ContentfulStatusCode
    screen?: Screen | undefined
    /** Whether the page shows that a file cannot be opened, instead of the screen of its address. */
    isDeniedFile?: boolean
  },
) => Promise<Response | null>

/** Whether a person opens the address in a browser; false for programs and for subresources of a page. */
export const isPerson = (c: Context<Env>): boolean => c.req.header('accept')?.includes('text/html') ?? false

/**
 * Returns the function that fills in the page with the site's title, accent and public settings. It keeps the
 * last known settings, so all routes share one.
 */
export function createPageRenderer(services: PageServices, frontEnd: FrontEnd): RenderPage {
  const tokenCookie = publicTokenCookie(ownApiKey(services.config.secret))
  const firstQuestions = findFirstQuestions(frontEnd.operations)
  let site = defaultPublicSite(services.config)

  return async (c, { status, screen, isDeniedFile = false }) => {
    const template = await frontEnd.readPage(new URL(c.req.url).pathname)
    if (template === null) return null
    try {
      site = await findPublicSite(services.db, services.config)
    } catch (error) {
      // Serves the last known settings; the screen itself shows that the server is unavailable, and retries.
      if (!isDatabaseUnavailable(error)) throw error
    }
    const scripts = (screen && frontEnd.screenScripts[screen]) ?? []
    const { pathname, search } = new URL(c.req.url)
    // Only where GraphQL is on the page's own host.
    const questions = screen && search === '' && !site.url_backend ? firstQuestions(screen, pathname) : []
    const isSignedIn =
      screen !== undefined && isBehindSignIn(screen) && getCookie(c, SESSION_COOKIE) !== undefined
    const page = fillPage(template, site, {
      scripts,
      askEarly: isSignedIn ? askEarly(questions) : '',
      frame: isSignedIn && !isDeniedFile ? startingFrame(screen, site) : '',
      deniedFileStatus: isDeniedFile ? status : null,
    })
    return c.html(page, status, {
      'cache-control': 'no-store',
      'set-cookie': tokenCookie,
      ...pageHeaders(services.config, site),
    })
  }
}

/**
 * Serves the front end at every address without another route: its files, and for a screen the page with the
 * site's title, accent and public settings. No language prefix, no redirect at the root, no trailing slash
 * [1.1].
 */
export function pageRoutes(frontEnd: FrontEnd, renderPage: RenderPage): Hono<Env> {
  const routes = new Hono<Env>()
  routes.get('*', frontEnd.serveFile, async (c) => {
    const { pathname, search } = new URL(c.req.url)
    if (NOT_PAGES.test(pathname)) throw notFound('address')
    if (pathname !== '/' && pathname.endsWith('/')) {
      // Leading slashes are reduced to one, since a redirect to `//host/` would lead to another site. The end is searched from
      // the first slash of a run alone, so that many slashes do not take quadratic time.
      return c.redirect(`${pathname.replace(/^\/+/, '/').replace(/(?<!\/)\/+$/, '') || '/'}${search}`, 308)
    }
    // A person who followed a wrong link gets the page with the error; a program or a missing file gets the
    // JSON error.
    const screen = findScreen(pathname)
    const page = screen || isPerson(c) ? await renderPage(c, { status: screen ? 200 : 404, screen }) : null
    if (!page) throw notFound('address')
    return page
  })
  routes.all('*', () => {
    throw notFound('address')
  })
  return routes
}

/**
 * Fills in the template: the accent on `<html>`, title, icon and public settings in `<head>` [2.17]. `<head>`
 * also preloads the scripts of the screen, so that they load in parallel with the page's own script, and begins with the
 * script that asks early; the frame of the screen follows the element of the application. `deniedFileStatus` is the HTTP status of a denied file, which web/main.tsx reads.
 */
function fillPage(
  template: string,
  site: PublicSite,
  parts: { scripts: readonly string[]; askEarly: string; frame: string; deniedFileStatus: number | null },
): string {
  const title = escapeHtml(site.title)
  const head = [
    `<title>${title}</title>`,
    `<meta property="og:title" content="${title}">`,
    `<meta name="description" content="${title}">`,
    site.favicon === ''
      ? '<link rel="icon" href="/favicon.svg" type="image/svg+xml">'
      : `<link rel="icon" href="${escapeHtml(site.favicon)}"><link rel="apple-touch-icon" href="${escapeHtml(site.favicon)}">`,
    // Data and no program, so the policy allows it inline; `<` is escaped so that a setting cannot end the
    // element.
    `<script type="application/json" id="site">${JSON.stringify(site).replaceAll('<', '\\u003c')}</script>`,
    ...(parts.deniedFileStatus ? [`<meta name="denied-file" content="${parts.deniedFileStatus}">`] : []),
    ...parts.scripts.map((name) => `<link rel="modulepreload" crossorigin href="/${name}">`),
  ].join('')
  return template
    .replace(/<title>[^<]*<\/title>/, '')
    .replace(/<link rel="icon"[^>]*>/, '')
    .replace(/(<html[^>]*?)\s+data-accent="[^"]*"/, '$1')
    .replace('<html', () => `<html data-accent="${escapeHtml(site.color_scheme)}"`)
    .replace('<head>', () => `<head>${parts.askEarly}`)
    .replace('</head>', () => `${head}</head>`)
    .replace('<div id="root"></div>', (root) => root + parts.frame)
}

/** Returns the element of the script that asks for the session, the token and the first questions while the others load. */
const askEarly = (questions: readonly FirstQuestion[]): string =>
  `<script src="/ask-early.js" data-questions="${escapeHtml(JSON.stringify(questions))}"></script>`
