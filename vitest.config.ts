import { configDefaults, defineConfig } from 'vitest/config'

/**
 * Tests that start processes and servers; they run last, because in parallel they would only wait for each
 * other.
 */
const DURABILITY = [
  'server/platform/embedded-postgres/embedded-postgres.test.ts',
  'server/ctrl-c.test.ts',
  'server/platform/sandbox/sandbox.test.ts',
  'server/http/files/uploads-{broken,crash}.test.ts',
  'db/{generate,seed,upgrade}.test.ts',
  'scripts/watch-folder/watch-folder-killed.test.ts',
]

export default defineConfig({
  // Node loads graphql's CommonJS entry, Vite its ES module; instances of the two would not recognise each
  // other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    // For two cores: more workers would only wait for each other and for the database.
    maxWorkers: 2,
    // Files of one worker share their modules. There are two projects because @hono/node-server replaces the
    // global `Response`: web tests in a worker with server tests would see another class.
    isolate: false,
    // Generous timeouts in ms: they only stop hanging tests, also on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    restoreMocks: true,
    setupFiles: ['test/real-timers.ts'],
    reporters: ['default', './test/slowest-files.ts'],
    projects: [
      { extends: true, test: { name: 'web', include: ['{web,shared}/**/*.test.{ts,tsx}'] } },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['{server,db,test,scripts}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...DURABILITY],
          globalSetup: ['test/postgres.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'durability',
          include: DURABILITY,
          globalSetup: ['test/postgres.ts'],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
