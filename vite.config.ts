import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

/**
 * Resolves React Aria's messages of every language to Romanian, the only language of the product [1.1], so
 * that the other thirty are not bundled.
 */
export function keepRomanianOnly(): Plugin {
  const message = /\/([a-z]{2}-[A-Z]{2})\.mjs$/
  return {
    name: 'keep-romanian-only',
    enforce: 'pre',
    resolveId: {
      filter: { id: message },
      handler(source, importer, options) {
        const isReactAria = /\/(react-aria|react-stately|react-aria-components)\//.test(importer ?? '')
        if (!isReactAria || source.endsWith('/ro-RO.mjs')) return null
        return this.resolve(source.replace(message, '/ro-RO.mjs'), importer, { ...options, skipSelf: true })
      },
    },
  }
}

/**
 * Replaces `innerHTML = ''` in React Aria's announcer with `replaceChildren()`, because the page's policy
 * requires trusted types.
 */
export function emptyWithoutHtml(): Plugin {
  return {
    name: 'empty-without-html',
    transform: {
      filter: { id: /react-aria\/.*\/LiveAnnouncer\.mjs$/ },
      handler: (code) => ({ code: code.replace(/\.innerHTML = ''/g, '.replaceChildren()'), map: null }),
    },
  }
}

/**
 * Copies the files that pdf.js fetches by name: the fourteen standard fonts that a PDF need not embed, and
 * decoders (JBIG2, JPEG 2000) as scripts, because the policy forbids WebAssembly. They keep their names; the
 * version in the folder's name makes them cacheable permanently.
 */
function pdfResources(): Plugin {
  const root = fileURLToPath(new URL('node_modules/pdfjs-dist/', import.meta.url))
  const folders = [
    ['standard_fonts', /\.(pfb|ttf)$/],
    ['wasm', /_nowasm_fallback\.js$/],
  ] as const
  return {
    name: 'pdf-resources',
    apply: 'build',
    generateBundle() {
      const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
      for (const [folder, names] of folders) {
        for (const name of readdirSync(join(root, folder)).filter((each) => names.test(each))) {
          const source = readFileSync(join(root, folder, name))
          this.emitFile({ type: 'asset', fileName: `assets/pdfjs-${version}/${name}`, source })
        }
      }
    },
  }
}

/**
 * Writes an id of the build, a hash of all its files, so that equal sources have the same id on every
 * machine. The page contains the id, and `builds/` reports which build is served [7.7].
 */
function buildManifest(publicDir: string): Plugin {
  return {
    name: 'build-manifest',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html']
        if (page?.type !== 'asset') throw new Error('the build has no page')
        const hash = createHash('sha256')
        for (const name of readdirSync(publicDir).sort())
          hash.update(name).update(readFileSync(join(publicDir, name)))
        for (const name of Object.keys(bundle).sort()) {
          const file = bundle[name]!
          hash.update(name).update(file.type === 'chunk' ? file.code : file.source)
        }
        const id = hash.digest('hex').slice(0, 16)
        page.source = String(page.source).replace(
          '</head>',
          `  <meta name="build" content="${id}">\n  </head>`,
        )
        const source = JSON.stringify({ id, timestamp: Date.now() })
        for (const fileName of ['builds/latest.json', `builds/meta/${id}.json`])
          this.emitFile({ type: 'asset', fileName, source })
      },
    },
  }
}

/**
 * Which modules share a script, so that no screen loads more than twenty. A group takes its modules and all that they import,
 * except what a group before it has: a group for a part of the application comes before the groups that only some screens need.
 */
const SCRIPT_GROUPS: Rolldown.CodeSplittingGroup[] = [
  // What changes seldom keeps its name, and so its place in the browser's cache, over many of our builds.
  // Without what only forms need: this is also what the sign-in page loads.
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler|@tanstack)\/(?!.*useBlocker)/ },
  // The rest of what the sign-in page loads.
  { name: 'page', tags: ['$initial'] },
  // By itself, because the signed-out page and those of recipients need nothing else of the application.
  { name: 'session', test: /\/web\/(session\/use-session|layouts\/(brand-mark|skip-link))\.tsx?$/ },
  { name: 'shared-results', test: /\/shared-results\/share-layout\.tsx$/ },
  // With the shared rules, and without the user interface, because the page of an account link loads it.
  {
    name: 'api',
    test: /\/web\/api\/((public-)?client|client-error|graphql)\.ts$|\/@apollo\/client\/react\/|^(?!.*node_modules).*\/shared\//,
    minShareCount: 2,
  },
  // Loaded at the first tooltip of a page.
  {
    name: 'tooltip',
    test: /\/web\/ui\/overlays\/tooltip(-content|-tracker)?\.tsx?$|\/dompurify\//,
    includeDependenciesRecursively: false,
  },
  // By itself, because pages without the application have tooltips too.
  { name: 'overlay', test: /\/react-aria-components\/.*\/Tooltip\.mjs$/ },
  // By itself, because the sign-in loads it when a passkey is used.
  { name: 'passkeys', test: /\/passkey-(sign-in|errors)\.ts$/ },
  // What most screens need. Without `ui/controls/field.tsx`, which brings the style sheet of the forms with it; with the
  // sentences of React Aria, which both `options` and `sending` import.
  {
    name: 'ui',
    test: /\/shared\/access\/|\/web\/(api|builds|layouts|lists|session|ui\/(base|feedback|icons|overlays|page|provider)|ui\/controls\/(checkbox|search-field))\b(?!.*(icon-keywords|denied-file-page|non-admin))|\/react-aria-components\/.*\/intlStrings/,
  },
  // Small parts of features that more than one screen needs; without parts that bring forms or the PDF viewer with them,
  // at once or when the page is idle.
  {
    name: 'features',
    test: /\/web\/(features|ui\/hooks)\/(?!sign-in|own-account|.*(pdf|share-list|conversation|institution-filter|picture-field|use-(category-options|find-(patients|institutions))|-(fields?|form|sheet|dialog|tab|card)\.tsx|new-upload\/(?!new-upload\.queries|rejected-files)))/,
    minShareCount: 2,
  },
  // With the small parts of features that choose among options or write a text, and the controls that the search palette
  // shares with them.
  {
    name: 'options',
    test: /\/web\/(ui\/(options\/|controls\/text-field)|features\/.*\/(conversation|institution-filter|use-(category-options|find-(patients|institutions)))\.tsx?$)|\/react-aria-components\/.*\/(ListBox|TextField|ToggleButtonGroup|ToggleButton)\.mjs$/,
  },
  // Loaded when the browser is idle: `ui` has all that the frame of the screens shares with the search palette.
  { name: 'search', test: /\/search-palette\.tsx$/ },
  // The page of a patient sends new uploads, and that of an upload new versions.
  {
    name: 'sending',
    test: /\/(drop-area|upload-progress-card|use-new-upload|upload-leave-guard|file-checks)\.tsx?$/,
  },
  // Without the panels and grids, which are loaded when they are first opened.
  { name: 'forms', test: /\/web\/forms\/.*(?<!panel|grid|calendar-views)\.tsx?$/ },
  { name: 'pdf', test: /\/pdf-(viewer|documents)\.tsx?$/ },
  {
    name: 'account-dialogs',
    test: /\/web\/features\/(institutions|users)\/.*-(sheet|dialog|fields)\.tsx$/,
  },
  {
    name: 'patient-dialogs',
    test: /\/web\/features\/(patients|shares|news)\/.*-(sheet|dialogs?|history)\.tsx$/,
  },
  // Only the dialogs: what they import of the review is in its own script.
  {
    name: 'review-dialogs',
    test: /\/web\/features\/reviews\/dialogs\/(?!keys)/,
    includeDependenciesRecursively: false,
  },
]

export const publicDir = fileURLToPath(new URL('web/public', import.meta.url))

export default defineConfig({
  publicDir,
  // The router's copy for React versions before 18, which is 1 KiB more.
  resolve: {
    alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' },
  },
  plugins: [
    keepRomanianOnly(),
    emptyWithoutHtml(),
    pdfResources(),
    react(),
    tailwindcss(),
    buildManifest(publicDir),
  ],
  // All workers are modules, because pdf.js imports its decoders at run time.
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The policy forbids data: fonts and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The server reads the scripts of each screen from the manifest.
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: SCRIPT_GROUPS,
        },
      },
    },
  },
})
