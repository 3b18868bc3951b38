import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** The tests that have to notice when a rule of contact or motion changes; quick ones, since they run once per mutant. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    include: [
      'src/domain/contact/contact-*.test.ts',
      'src/domain/recovery/{cascade,plan-step,next-step,hold,look,decide-wake,formal-notice,recovery-story}.test.ts',
    ],
    // The same examples for every mutant, so that the score is the same tomorrow.
    setupFiles: [join(import.meta.dirname, 'fixed-seed.ts')],
  },
})
