import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { longSeconds, readCheckTimes } from './test/harness/check-times.ts'

const { files } = readCheckTimes()
const repository = join(import.meta.dirname, '..')

/** The call that says which installation a file needs, such as `useInstallation({ hasWorker: false })`. */
const installationOf = (path: string): string =>
  /\buse(Installation|Debtors|PeopleFixture|Console|OAuthFixture|OperationCalls|CallFixture)\([^;]*?\)\n/.exec(
    readFileSync(path, 'utf8'),
  )?.[0] ?? ''

/**
 * Project after project, because each has processes of its own. In a project the slowest files first, so that nobody waits for
 * one of them at the end. Then files with equal installations follow each other, so that they share one.
 */
class SlowestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]) {
    const rows = specifications.map(specification => {
      const { moduleId, project } = specification
      const seconds = files[relative(repository, moduleId)]?.wallSeconds ?? 0
      const isLong = seconds >= longSeconds
      return {
        specification,
        seconds,
        order: [project.name, isLong ? '0' : '1', isLong ? '' : installationOf(moduleId)],
      }
    })
    const compare = (a: string[], b: string[]) => {
      const i = a.findIndex((part, index) => part !== b[index])
      return i === -1 ? 0 : a[i]! < b[i]! ? -1 : 1
    }
    return rows
      .sort((a, b) => compare(a.order, b.order) || b.seconds - a.seconds)
      .map(({ specification }) => specification)
  }
}

// Where a file stands and how it ends say what it needs: `src` outside `features`, and every `*.pure.test.ts`, need no database.
const pure = ['src/*.test.ts', 'src/!(features)/**/*.test.ts', '**/*.pure.test.ts']
const browser = 'test/browser/**/*.test.ts'

// These end what hangs; on a machine three times as slow nothing else may reach them.
const pureTimeout = { testTimeout: 60_000 }
const timeouts = { testTimeout: 360_000, hookTimeout: 360_000, expect: { poll: { timeout: 60_000 } } }
// Node runs our files as they are. To send each through Vite costs a third of a short run.
const native = { experimental: { viteModuleRunner: false, nodeLoader: false } }
const database = 'test/harness/template.ts'
const root = import.meta.dirname
const sdk = fileURLToPath(new URL('../sdk/src/index.ts', import.meta.url))

/** Four projects, from the quickest to the slowest; `npm test -- --project pure` runs one. */
export default defineConfig({
  test: {
    reporters: ['default'],
    sequence: { sequencer: SlowestFirst },
    setupFiles: [join(import.meta.dirname, 'test/harness/record-cpu.ts')],
    // Most of them wait for a database or a moment more than they compute.
    maxWorkers: 4,
    // The files share nothing but code, and to load that anew for each costs as much as the tests.
    isolate: false,
    projects: [
      { root, test: { name: 'pure', include: pure, ...native, ...pureTimeout } },
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
          exclude: [...pure, browser],
          globalSetup: [database],
          ...native,
          ...timeouts,
        },
      },
      {
        root,
        test: {
          name: 'browser',
          include: [browser],
          globalSetup: [database, 'dev/build-console.ts', 'test/browser/chromium.ts'],
          ...native,
          ...timeouts,
        },
      },
    ],
  },
})
