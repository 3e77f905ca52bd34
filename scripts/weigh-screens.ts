import type { Rolldown } from 'vite'
import { readChunks, type Weight } from './chunk-graph.ts'
import { findRouteImports } from './route-imports.ts'

export interface ScreenWeight {
  /** Its address, as the router writes it. */
  path: string
  /** The files of the build that hold its JavaScript, beside the page's own. */
  files: string[]
  /** What the browser loads until the screen stands. */
  atOnce: Weight
  /** What its own part may load after that: in idle time, for what the data asks for, or when something is opened. */
  later: Weight
}

/** Bytes of JavaScript (gzip) that the sign-in page may have. */
export const SIGN_IN_BUDGET = 110 * 1024

/** Adds up what each screen of the site map loads of a build. */
export async function weighScreens(output: Rolldown.RolldownOutput): Promise<ScreenWeight[]> {
  const { find, reach, weigh } = readChunks(output)
  const page = reach([find('index.html')], 'imports').union(findClassicScripts(output))
  const screens: ScreenWeight[] = []
  for (const [path, modules] of await findRouteImports()) {
    const own = reach(modules.map(find), 'imports', page)
    const atOnce = page.union(own)
    // Not through the page's own script, which asks for every other screen.
    const later = reach(own, 'all', page).difference(own)
    screens.push({ path, files: [...own], atOnce: await weigh(atOnce), later: await weigh(later) })
  }
  return screens
}

/** The page's scripts that are no modules. */
function findClassicScripts(output: Rolldown.RolldownOutput): Set<string> {
  const page = output.output.find(({ fileName }) => fileName === 'index.html')
  const html = page?.type === 'asset' ? String(page.source) : ''
  return new Set([...html.matchAll(/<script src="\/([^"]+)"/g)].map(([, name]) => name!))
}

export function printScreenWeights(screens: readonly ScreenWeight[]): void {
  const kib = (bytes: number) => (bytes / 1024).toFixed(1).padStart(7)
  console.log(
    'KiB of JavaScript that a screen loads: at once (gzip, brotli), and later at most (gzip, brotli)',
  )
  for (const { path, atOnce, later } of screens)
    console.log(
      `  ${path.padEnd(28)}${kib(atOnce.gzip)}${kib(atOnce.br)}  ${kib(later.gzip)}${kib(later.br)}`,
    )
}

/** Throws where the sign-in page has grown beyond its budget. */
export function holdSignInBudget(screens: readonly ScreenWeight[]): void {
  const { gzip } = screens.find(({ path }) => path === '/')!.atOnce
  if (gzip > SIGN_IN_BUDGET) {
    const [is, may] = [gzip, SIGN_IN_BUDGET].map((bytes) => (bytes / 1024).toFixed(1))
    throw new Error(
      `the sign-in page loads ${is} KiB of JavaScript (gzip), and may load ${may}: ` +
        'see what web/main.tsx, a file of web/routes/ or the sign-in screen has begun to import',
    )
  }
}
