import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { emptyWithoutHtml, keepRomanianOnly, publicDir } from './vite.config.ts'

/** The catalogue of forms and pieces: `npm run catalogue`. */
export default defineConfig({
  root: fileURLToPath(new URL('web/catalogue', import.meta.url)),
  publicDir,
  plugins: [keepRomanianOnly(), emptyWithoutHtml(), react(), tailwindcss()],
  server: { port: 3100 },
  build: {
    outDir: fileURLToPath(new URL('dist-catalogue', import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
