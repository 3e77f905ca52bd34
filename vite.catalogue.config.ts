import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { emptyWithoutHtml, keepRomanianOnly, publicDir } from './vite.config.ts'

/** Watches the folder `web`, because Vite only watches its root: a new story is shown without a restart. */
function watchStories(): Plugin {
  return {
    name: 'watch-stories',
    configureServer: ({ watcher }) => void watcher.add(fileURLToPath(new URL('web', import.meta.url))),
  }
}

/** The catalogue of form inputs and components: `npm run catalogue`. */
export default defineConfig({
  root: fileURLToPath(new URL('web/catalogue', import.meta.url)),
  publicDir,
  plugins: [watchStories(), keepRomanianOnly(), emptyWithoutHtml(), react(), tailwindcss()],
  server: { port: 3100 },
  build: {
    outDir: fileURLToPath(new URL('dist-catalogue', import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
