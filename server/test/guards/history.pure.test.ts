import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { callOutcomes } from '../../src/domain/contact/call-outcome.ts'
import { channels } from '../../src/domain/contact/channel.ts'
import { receiptOutcomes } from '../../src/domain/contact/receipt.ts'
import { dataRequestDecisions, dataRequestKinds } from '../../src/domain/data-request.ts'
import { courtRoutes } from '../../src/domain/recovery/formal-notice.ts'
import { holds } from '../../src/domain/recovery/recovery-state.ts'
import { saidReplies, situationDecisions, situations } from '../../src/domain/recovery/told.ts'
import { disputeOutcomes } from '../../src/features/recovery/case/debtor-events.ts'
import { anrBases } from '../../src/features/recovery/case/events.ts'
import type {
  HistoryCode,
  HistoryFact,
  HistoryParams,
} from '../../src/features/recovery/case/history-codes.ts'
import { historyCodes, historyLanguages, sentenceOf } from '../../src/features/recovery/case/history-texts.ts'
import { skipTexts } from '../../src/features/recovery/case/reason-texts.ts'

const src = join(import.meta.dirname, '../../src')
const words = 'Said « so »: by Marie; really?'
const money = { amountCents: 120_050, currency: 'EUR' }
const message = channels.flatMap(channel => [
  { channel },
  { channel, groupedWith: 'F-1' },
  {
    channel,
    insteadOf: 'lrar' as const,
    receipts: receiptOutcomes.map(outcome => ({ outcome, on: '2026-12-01' })),
  },
])
const reasons = [{}, { reason: words }]

/** Every code with each kind of parameters it can have. */
const examples: { [Code in HistoryCode]: readonly HistoryParams[Code][] } = {
  message_accepted: message,
  message_accepted_late: message,
  message_given_up: message.flatMap(params => reasons.map(reason => ({ ...params, ...reason, attempts: 3 }))),
  message_refused: message.flatMap(params => reasons.map(reason => ({ ...params, ...reason }))),
  message_unknown: message,
  message_failed: message.flatMap(params => reasons.map(reason => ({ ...params, ...reason }))),
  message_undeliverable: channels.map(channel => ({ channel })),
  message_taken_back: channels.map(channel => ({ channel })),
  step_skipped: (Object.keys(skipTexts) as (keyof typeof skipTexts)[]).map(because => ({ because })),
  step_jumped: [{}],
  awaiting_decision: [{}],
  promise_broken: [{ isStillHeld: true }, { isStillHeld: false }],
  pause_over: [{ isStillHeld: true }, { isStillHeld: false }],
  started: reasons,
  paused: [...reasons, { until: '2026-12-01T08:00:00.000Z' }],
  resumed: reasons,
  debtor_paused: [...reasons, { until: '2026-12-01T08:00:00.000Z' }],
  cancelled: [...reasons, { hasClosingNotice: true, reason: words }],
  escalated: [{ step: 'lrar_mise_en_demeure' }, { step: 'own_step', reason: words }],
  judicial: [
    ...courtRoutes.map(route => ({ route, limitationOn: '2031-11-15' })),
    { route: 'payment_order', limitationOn: '2031-11-15', isNoticeConfirmed: true, reason: words },
  ],
  filed: [{ date: '2026-12-01' }, { date: '2026-12-01', note: words }],
  served: [{ date: '2026-12-01' }, { date: '2026-12-01', note: words }],
  written_off: anrBases.map(basis => ({ basis })),
  promised: [
    { ...money, date: '2026-12-01' },
    { ...money, date: '2026-12-01', note: words },
  ],
  disputed: reasons.map(reason => ({ ...money, ...reason })),
  dispute_resolved: [
    ...disputeOutcomes.map(outcome => ({ outcome })),
    { outcome: 'rejected', reason: words },
    { ...money, outcome: 'partly' },
  ],
  opted_out: channels.flatMap(channel => reasons.map(reason => ({ channel, ...reason }))),
  wrong_person: [{ point: 'email' }, { point: 'phone', reason: words }],
  wrong_address_given: [{}],
  address_refused: channels.map(channel => ({ channel })),
  next_person: channels.map(channel => ({ channel })),
  insolvency_opened: [{}, { kind: 'over_indebtedness', on: '2026-12-01' }],
  reply_received: [{ channel: 'email' }, ...saidReplies.map(said => ({ channel: 'voice' as const, said }))],
  situation_reported: [
    { channel: 'email' },
    ...situations.map(said => ({ channel: 'sms' as const, said })),
    ...reasons.map(reason => ({
      channel: 'voice' as const,
      said: 'deceased' as const,
      isTold: true as const,
      ...reason,
    })),
  ],
  situation_decided: situationDecisions.flatMap(decision => reasons.map(reason => ({ decision, ...reason }))),
  data_requested: dataRequestKinds.flatMap(kind =>
    reasons.map(reason => ({ kind, receivedOn: '2026-12-01', dueOn: '2027-01-01', ...reason })),
  ),
  data_request_decided: dataRequestKinds.flatMap(kind =>
    dataRequestDecisions.flatMap(decision => reasons.map(reason => ({ kind, decision, ...reason }))),
  ),
  hold_ended: holds.flatMap(hold => [{ hold }, { hold, stillHeldBy: [] }, { hold, stillHeldBy: [...holds] }]),
  note_written: [{}, { note: words }, { note: words, comeBackOn: '2026-12-01' }],
  call_ended: callOutcomes.flatMap(outcome => [{ outcome }, { outcome, note: words }]),
  payment_received: [
    money,
    ...['card', 'bank_transfer', 'sepa_debit', 'payment_link'].map(method => ({ ...money, method })),
  ],
  payment_refunded: reasons.map(reason => ({ ...money, ...reason })),
  payment_reversed: reasons.map(reason => ({ ...money, ...reason })),
  credit_added: [money, { ...money, number: 'A-1' }],
}

const facts = historyCodes.flatMap(code => examples[code].map(params => ({ code, params }) as HistoryFact))

it('every code has a whole sentence in both languages, whatever its parameters', () => {
  for (const fact of facts)
    for (const language of historyLanguages) {
      const sentence = sentenceOf(fact, language)
      const what = `${fact.code} ${JSON.stringify(fact.params)} in ${language}`
      expect(sentence, what).toMatch(/^\S.*\S$/s)
      expect(sentence, what).not.toMatch(/undefined|null|NaN|\[object| {2}/)
      if (!sentence.endsWith(words)) expect(sentence, what).toMatch(/\.$/)
    }
})

it('no sentence is the same in both languages', () => {
  for (const fact of facts) expect(sentenceOf(fact, 'fr'), fact.code).not.toBe(sentenceOf(fact, 'en'))
})

it('says no code of ours, and writes days as people do', () => {
  for (const fact of facts) {
    if ('step' in fact.params && fact.params.step === 'own_step') continue
    for (const language of historyLanguages)
      expect(sentenceOf(fact, language), fact.code).not.toMatch(
        /[a-z]_[a-z]|\d{4}-\d\d-\d\d|over indebtedness/,
      )
  }
})

it('French has its no-break spaces, and leaves what people said as it is', () => {
  for (const fact of facts) {
    const sentence = sentenceOf(fact, 'fr')
    expect(sentence.replaceAll(words, ''), fact.code).not.toMatch(/ [:;?!»]/)
  }
})

it('a step that the message of another invoice carried says which one, and the channel of that message', () => {
  const carried = { channel: 'voice', groupedWith: 'F-2', insteadOf: 'email' } as const
  for (const code of ['message_accepted', 'message_unknown', 'message_refused'] as const) {
    const fact = { code, params: carried }
    expect(sentenceOf(fact, 'fr')).toMatch(/^Groupée avec F-2, par téléphone\. /)
    expect(sentenceOf(fact, 'en')).toMatch(/^Grouped with F-2, by telephone\. /)
    for (const language of historyLanguages) expect(sentenceOf(fact, language)).not.toMatch(/e-?mail/i)
  }
})

it('every statement that writes a line of the history writes its actor, code and parameters', async () => {
  const writers: string[] = []
  for await (const path of glob('features/**/*.ts', { cwd: src })) {
    if (path.endsWith('.test.ts')) continue
    const text = readFileSync(join(src, path), 'utf8')
    for (const [, columns] of text.matchAll(/insert into actions \(([^)]+)\)/g)) {
      writers.push(path)
      const names = columns!.split(',').map(name => name.trim())
      expect(names, path).toEqual(expect.arrayContaining(['actor', 'code', 'params']))
    }
  }
  expect(writers.sort()).toEqual([
    'features/recovery/case/history.ts',
    'features/recovery/holds/hold-debtor.ts',
    'features/recovery/holds/hold-debtor.ts',
  ])
})
