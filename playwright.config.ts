import { defineConfig } from '@playwright/test'
import { findChromium } from './scripts/ensure-chromium.ts'

/** Pieces of the interface alone, as the catalogue shows them. */
const PIECES = '**/pieces/**/*.test.ts'

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.test.ts',
  // Two at a time on two cores: the catalogue, which needs no server and no database, beside the product while there is any of it left.
  workers: 2,
  projects: [
    { name: 'pieces', testMatch: PIECES, workers: 1 },
    { name: 'product', testIgnore: PIECES },
  ],
  timeout: 90_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  // A browser beside a database on two busy cores: what passes the second time is reported as flaky, and looked into.
  retries: 1,
  reporter: [['list']],
  use: {
    // A test that waits for what never comes says so, long before its own time is up.
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    locale: 'ro-RO',
    timezoneId: 'Europe/Bucharest',
    trace: 'on-first-retry',
    launchOptions: {
      ...findChromium(),
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
