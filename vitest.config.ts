import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Node takes graphql's CommonJS entry, Vite its ES module: the two would not know each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['{shared,server,db,web,test}/**/*.test.{ts,tsx}'],
    globalSetup: ['test/postgres.ts'],
    // Two cores: more workers only wait for each other and for the database.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
})
