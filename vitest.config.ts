import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Node takes graphql's CommonJS entry, Vite its ES module: the two would not know each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    // Two cores: more workers only wait for each other and for the database.
    maxWorkers: 2,
    // Files of one worker share their modules. Two projects, because @hono/node-server replaces the global `Response`:
    // a test of the pages after a test of the server in one worker would see another class.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    projects: [
      { extends: true, test: { name: 'web', include: ['{web,shared}/**/*.test.{ts,tsx}'] } },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['{server,db,test}/**/*.test.ts'],
          globalSetup: ['test/postgres.ts'],
        },
      },
    ],
  },
})
