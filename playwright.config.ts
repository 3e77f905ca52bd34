import { defineConfig } from '@playwright/test'
import { findChromium } from './scripts/ensure-chromium.ts'

const chromiumPath = findChromium()

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.test.ts',
  // One server with one database a worker would not be faster on two cores.
  workers: 1,
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
    trace: 'retain-on-failure',
    launchOptions: {
      ...(chromiumPath && { executablePath: chromiumPath }),
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
