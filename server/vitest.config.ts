import { defineConfig } from 'vitest/config'

/** Three benches, from the quickest to the roughest; `npm test -- --project pure` runs one. */
export default defineConfig({
  test: {
    reporters: ['default'],
    // Most of them wait for a database or a moment more than they compute.
    maxWorkers: 3,
    projects: [
      {
        root: import.meta.dirname,
        test: {
          name: 'pure',
          include: [
            'src/{domain,kit,adapters}/**/*.test.ts',
            'src/features/communications/texts/*.test.ts',
            'test/simulation/**/*.test.ts',
          ],
        },
      },
      {
        root: import.meta.dirname,
        test: {
          name: 'db',
          exclude: ['src/features/communications/texts/*.test.ts'],
          include: ['src/features/**/*.test.ts', 'test/{conformance,guards,scenarios}/**/*.test.ts'],
          globalSetup: ['test/harness/template.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        root: import.meta.dirname,
        test: {
          name: 'engine',
          include: ['test/engine/**/*.test.ts'],
          globalSetup: ['test/harness/template.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
