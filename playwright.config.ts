import { defineConfig } from '@playwright/test'
import { findChromium } from './scripts/ensure-chromium.ts'

/** Components of the interface alone, as the catalogue shows them. */
const PIECES = '**/components/**/*.test.ts'

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/harness/seed.ts',
  testMatch: '**/*.test.ts',
  // Two at a time on two cores: the catalogue, which needs no server and no database, beside the product while there is any of it left.
  workers: 2,
  projects: [
    { name: 'components', testMatch: PIECES, workers: 1 },
    { name: 'product', testIgnore: PIECES },
  ],
  // They end what hangs, also on a machine that is busy with something else.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  // With two busy cores, one test among hundreds may meet a time limit. A second run of it, with a new server, may pass; the report
  // then lists it as flaky, which is a defect to mend.
  retries: 1,
  reporter: [['list']],
  // The run ends with its slowest files.
  reportSlowTests: { max: 10, threshold: 0 },
  use: {
    // A test that waits for what never comes says so, long before its own time is up.
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    locale: 'ro-RO',
    timezoneId: 'Europe/Bucharest',
    launchOptions: {
      ...findChromium(),
      // Without a locale, Chromium does not read files whose names have diacritics.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
      args: [
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
