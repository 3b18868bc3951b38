import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isMarkedLong } from './test/harness/long-file.ts'

const isLong = async ({ moduleId }: TestSpecification) => isMarkedLong(await readFile(moduleId, 'utf8'))

/**
 * A file that takes a minute has to begin with the others, or everybody waits for it at the end. It says so itself,
 * with `// @module-tag long`; `npm test -- --tags-filter '!long'` leaves such files out.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const long = await Promise.all(sorted.map(isLong))
    return [...sorted.filter((_, i) => long[i]), ...sorted.filter((_, i) => !long[i])]
  }
}

// Where a file stands and how it ends say what it needs: `src` outside `features`, and every `*.pure.test.ts`, need no database.
const pure = ['src/*.test.ts', 'src/!(features)/**/*.test.ts', '**/*.pure.test.ts']
const engine = 'test/engine/**/*.test.ts'
const browser = 'test/browser/**/*.test.ts'

// These end what hangs; on a machine three times as slow nothing else may reach them.
const pureTimeout = { testTimeout: 60_000 }
const timeouts = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 20_000 } } }
const database = 'test/harness/template.ts'
const root = import.meta.dirname
const sdk = fileURLToPath(new URL('../sdk/src/index.ts', import.meta.url))

/** Five projects, from the quickest to the slowest; `npm test -- --project pure` runs one. */
export default defineConfig({
  test: {
    reporters: ['default'],
    tags: [{ name: 'long', description: 'a file that takes a minute: it begins before all others' }],
    sequence: { sequencer: LongestFirst },
    // Most of them wait for a database or a moment more than they compute.
    maxWorkers: 3,
    // The files share nothing but code, and to load that anew for each costs as much as the tests.
    isolate: false,
    projects: [
      { root, test: { name: 'pure', include: pure, ...pureTimeout } },
      {
        root: join(root, '../console'),
        resolve: { alias: { '@relance/sdk': sdk } },
        test: { name: 'console', include: ['src/**/*.test.{ts,tsx}'], ...pureTimeout },
      },
      {
        root,
        test: {
          name: 'db',
          include: ['{src,test}/**/*.test.ts'],
          exclude: [...pure, engine, browser],
          globalSetup: [database],

          ...timeouts,
        },
      },
      { root, test: { name: 'engine', include: [engine], globalSetup: [database], ...timeouts } },
      {
        root,
        test: {
          name: 'browser',
          include: [browser],
          globalSetup: [database, 'dev/build-console.ts', 'test/browser/chromium.ts'],

          ...timeouts,
        },
      },
    ],
  },
})
