import { configDefaults, defineConfig } from 'vitest/config'

/** Tests that start processes and servers of their own: beside others they only wait for each other. */
const DURABILITY = [
  'server/platform/embedded-postgres/embedded-postgres.test.ts',
  'server/platform/sandbox.test.ts',
  'server/http/uploads-{broken,crash}.test.ts',
  'db/{generate,seed}.test.ts',
]

export default defineConfig({
  // Node takes graphql's CommonJS entry, Vite its ES module: the two would not know each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    // Two cores: more workers only wait for each other and for the database.
    maxWorkers: 2,
    // Files of one worker share their modules. Two projects, because @hono/node-server replaces the global `Response`:
    // a test of the pages after a test of the server in one worker would see another class.
    isolate: false,
    // They end what hangs, also on a machine that is busy with something else.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    restoreMocks: true,
    reporters: ['default', './test/slowest-files.ts'],
    projects: [
      { extends: true, test: { name: 'web', include: ['{web,shared}/**/*.test.{ts,tsx}'] } },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['{server,db,test}/**/*.test.ts'],
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
