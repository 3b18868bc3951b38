import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** A file that takes minutes has to begin with the others, or everybody waits for it at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLong = ({ moduleId }: TestSpecification) => /guards\/fuzz|invoices\/large-lists/.test(moduleId)
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter(file => !isLong(file))]
  }
}

/** Four benches, from the quickest to the roughest; `npm test -- --project pure` runs one. */
export default defineConfig({
  test: {
    reporters: ['default'],
    sequence: { sequencer: LongestFirst },
    // Most of them wait for a database or a moment more than they compute.
    maxWorkers: 3,
    // The files share nothing but code, and to load that anew for each costs as much as the tests.
    isolate: false,
    // The limits end what hangs; on a machine three times as slow nothing else may reach them.
    projects: [
      {
        root: import.meta.dirname,
        test: {
          name: 'pure',
          include: [
            'src/*.test.ts',
            'src/{start,domain,kit,adapters}/**/*.test.ts',
            'src/features/recovery/messages/{letter,texts}/*.test.ts',
            'src/features/integrations/assistant/clean-markdown.test.ts',
            'test/{injection,simulation}/**/*.test.ts',
          ],
          testTimeout: 60_000,
        },
      },
      {
        root: import.meta.dirname,
        test: {
          name: 'db',
          exclude: [
            'src/features/recovery/messages/{letter,texts}/*.test.ts',
            'src/features/integrations/assistant/clean-markdown.test.ts',
          ],
          include: ['src/features/**/*.test.ts', 'test/{conformance,guards,scenarios}/**/*.test.ts'],
          globalSetup: ['test/harness/template.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        root: import.meta.dirname,
        test: {
          name: 'engine',
          include: ['test/engine/**/*.test.ts'],
          globalSetup: ['test/harness/template.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        root: import.meta.dirname,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/harness/template.ts', 'test/browser/chromium.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
