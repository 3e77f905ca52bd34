import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** The tests of the rules and of the moves of uploads, which `npm run test:mutation` runs against each change of a rule. */
export default defineConfig({
  resolve: base.resolve ?? {},
  test: {
    ...base.test,
    reporters: ['default'],
    // Without it, Stryker counts what the first file of a worker covers, and nothing of the others.
    isolate: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'rules',
          include: ['server/rules.test.ts', 'server/features/uploads/move-upload.test.ts'],
          globalSetup: ['test/postgres.ts'],
        },
      },
    ],
  },
})
