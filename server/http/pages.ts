import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { findScreen, type Screen } from '../../shared/site-map.ts'
import type { PublicSite } from '../../shared/site-settings.ts'
import { notFound } from '../errors.ts'
import { defaultPublicSite, findPublicSite } from '../features/site/find-public-site.ts'
import { ownApiKey } from '../features/site/own-api-key.ts'
import type { Parts } from '../parts.ts'
import { isDatabaseAway } from '../platform/database.ts'
import { pageHeaders } from './security-headers.ts'
import { answerStaticFile, readStaticFiles } from './static-files.ts'
import { publicTokenCookie } from './token-cookie.ts'
import type { Env } from './types.ts'

const DIST = fileURLToPath(new URL('../../dist', import.meta.url))
/** Addresses of programs: what is not found there is not a page. */
const NOT_PAGES = /^\/+(api|assets|builds|files|graphql|healthz|site-images|\.well-known)(\/|$)/

type PageParts = Pick<Parts, 'config' | 'db'>

/** Answers with the one page of the front end; null where there is no build. */
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
export function createPageAnswer(parts: PageParts, folder = DIST): PageAnswer {
  const template = join(folder, 'index.html')
  const fillPage = existsSync(template)
    ? preparePage(readFileSync(template, 'utf8'), readScreenScripts(folder))
    : null
  const tokenCookie = publicTokenCookie(ownApiKey(parts.config.secret))
  let site = defaultPublicSite()

  return async (c, { status, screen, isRefusedFile = false }) => {
    if (!fillPage) return null
    try {
      site = await findPublicSite(parts.db, parts.config)
    } catch (error) {
      // The screen itself says that the server is away, and tries again.
      if (!isDatabaseAway(error)) throw error
    }
    const page = fillPage(site, screen, isRefusedFile ? status : null)
    return c.html(page, status, {
      'cache-control': 'no-store',
      'set-cookie': tokenCookie,
      ...pageHeaders(parts.config, site),
    })
  }
}

/**
 * The built front end, at every address that no other route has: its files, and for a screen the one page. No language
 * prefix, no redirect at the root, no trailing slash [1.1].
 */
export function createPagesDoor(parts: PageParts, folder = DIST): Hono<Env> {
  const answerPage = createPageAnswer(parts, folder)
  const files = readStaticFiles(folder)
  const door = new Hono<Env>()
  door.get('*', async (c) => {
    const { pathname, search } = new URL(c.req.url)
    const file = files.get(pathname)
    if (file) return answerStaticFile(c, file)
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
  door.all('*', () => {
    throw notFound('address')
  })
  return door
}

/** The scripts that a screen needs beside the page's own, as the build has noted them. */
type ScreenScripts = Partial<Record<Screen, string[]>>

function readScreenScripts(folder: string): ScreenScripts {
  const noted = join(folder, '.screens.json')
  return existsSync(noted) ? JSON.parse(readFileSync(noted, 'utf8')) : {}
}

/**
 * The page with its places to fill: the accent on `<html>`, title and icon, and what belongs at the end of `<head>` [2.17].
 * A screen's scripts are named there, so that they come beside the page's own instead of after it has run. `refusedFile` is
 * the status with which a file was refused (web/main.tsx).
 */
function preparePage(
  template: string,
  scripts: ScreenScripts,
): (site: PublicSite, screen: Screen | undefined, refusedFile: number | null) => string {
  const bare = template
    .replace(/<html([^>]*?)\s+data-accent="[^"]*"/, '<html$1')
    .replace(/<title>[^<]*<\/title>/, '')
    .replace(/<link rel="icon"[^>]*>/, '')
  return (site, screen, refusedFile) => {
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
      ...((screen && scripts[screen]) ?? []).map(
        (name) => `<link rel="modulepreload" crossorigin href="/${name}">`,
      ),
    ].join('')
    return bare
      .replace('<html', () => `<html data-accent="${escapeHtml(site.color_scheme)}"`)
      .replace('</head>', () => `${head}</head>`)
  }
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!)
