import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  builtInCascades,
  type Cascade,
  firstNotice,
  followingIn,
  formalNotice,
  review,
} from '../../src/domain/recovery/cascade.ts'
import { toSteps } from '../../src/domain/recovery/own-cascade.ts'
import { toPlainText } from '../../src/features/recovery/messages/compose/texts/plain-text.ts'
import { textOf } from '../../src/features/recovery/messages/compose/texts/texts.ts'
import { sampleContent } from '../../src/features/recovery/templates/sample-content.ts'

const steps = ['relance_email_3', 'email_dernier_avis']

/** What a message of this step says of what follows, when it is about invoices on these cascades. */
function saidBy(step: string, language: 'fr' | 'en', cascades: readonly Pick<Cascade, 'steps'>[]) {
  const content = { ...sampleContent(language, step), following: followingIn(cascades, step) }
  const { subject, blocks } = textOf(step, 'email')!(language, content)
  const all = `${subject}\n${toPlainText(blocks)}`
  const beforeNotice =
    /dernier rappel avant (une )?mise en demeure|last reminder before a formal notice( \(mise en demeure\))?/gi
  return {
    isLast: /dernier (rappel|avis)|last (reminder|notice|amicable notice)/i.test(
      all.replaceAll(beforeNotice, ''),
    ),
    isLastBeforeNotice: all.search(beforeNotice) !== -1,
    stopsAfterwards: /arrêterons nos rappels|stop our reminders/.test(all),
  }
}

const sentAfter = ({ steps: all }: Pick<Cascade, 'steps'>, step: string) =>
  all.slice(all.findIndex(({ name }) => name === step) + 1).filter(({ channel }) => channel !== null)

function expectTrue(cascade: Pick<Cascade, 'steps'>) {
  for (const step of steps.filter(name => cascade.steps.some(one => one.name === name)))
    for (const language of ['fr', 'en'] as const) {
      const after = sentAfter(cascade, step)
      const { isLast, isLastBeforeNotice, stopsAfterwards } = saidBy(step, language, [cascade])
      expect(isLast).toBe(after.length === 0)
      if (step === 'relance_email_3') expect(isLastBeforeNotice).toBe(after[0]?.name === formalNotice)
      if (stopsAfterwards) expect(after).toEqual([])
    }
}

test.each(builtInCascades.map(cascade => [cascade.name, cascade] as const))(
  '%s says “last reminder” only where nothing follows',
  (_, cascade) => expectTrue(cascade),
)

const between = [
  'relance_email_1',
  'sms_reminder',
  'relance_email_2',
  'ai_call',
  'relance_email_3',
  'lrar_mise_en_demeure',
  'ai_call_2',
  'email_dernier_avis',
] as const

test('a cascade of a company’s own says it only where nothing follows', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...between]), names => {
      const drafts = [firstNotice, ...names, review].map((name, i) => ({ name, day: i * 20 }))
      expectTrue({ steps: toSteps(drafts) })
    }),
    { numRuns: 300 },
  )
})

test('a message about invoices of two cascades says only what is true of both', () => {
  const [standard, , small] = builtInCascades
  expect(saidBy('relance_email_3', 'fr', [standard!, small!])).toMatchObject({
    isLast: false,
    isLastBeforeNotice: false,
  })
  expect(saidBy('relance_email_3', 'fr', [small!, small!]).isLast).toBe(true)
  expect(saidBy('relance_email_3', 'fr', []).isLast).toBe(false)
})
