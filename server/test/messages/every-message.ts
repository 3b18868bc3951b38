import { type Channel, channels } from '../../src/domain/contact/channel.ts'
import { type DebtorType, debtorTypes } from '../../src/domain/debtor-type.ts'
import { formalNotice } from '../../src/domain/recovery/cascade.ts'
import { daysToPay } from '../../src/domain/recovery/formal-notice.ts'
import { printLetter } from '../../src/features/recovery/messages/compose/print-letter.ts'
import { toGsm } from '../../src/features/recovery/messages/compose/texts/gsm.ts'
import type { Language } from '../../src/features/recovery/messages/compose/texts/labels.ts'
import {
  claimingSteps,
  latePaymentStatement,
} from '../../src/features/recovery/messages/compose/texts/late-payment-statement.ts'
import type {
  MessageContent,
  Text,
} from '../../src/features/recovery/messages/compose/texts/message-content.ts'
import { toPlainText } from '../../src/features/recovery/messages/compose/texts/plain-text.ts'
import { stepsWithTexts, textOf } from '../../src/features/recovery/messages/compose/texts/texts.ts'
import { sampleContent } from '../../src/features/recovery/templates/sample-content.ts'

export type Voice = 'creditor' | 'collector'

/** One message as a debtor may get it. */
export interface RenderedMessage {
  step: string
  channel: Channel
  language: Language
  voice: Voice
  type: DebtorType
  content: MessageContent
  text: Text
  /** As plain text; of a text message, as it is sent. */
  body: string
}

const collector: NonNullable<MessageContent['collector']> = {
  name: 'Cabinet Rivoire',
  address: '8 quai Perrache, 69002 Lyon',
  siren: '732829320',
  reference: 'R-4T9K2QM',
  since: '2026-05-20',
}

function contentFor(step: string, language: Language, voice: Voice, type: DebtorType): MessageContent {
  const sample = sampleContent(language, step)
  const isClaimed = claimingSteps.includes(step) && type !== 'consumer'
  const invoices = sample.invoices.map(invoice => ({
    ...invoice,
    id: 'sample',
    amountCents: 120_000,
    movements: [],
  }))
  const terms = {
    debtorType: type,
    creditorCountry: 'FR',
    rates: [{ kind: 'ecb', startsOn: '2026-01-01', bps: 215 }],
    contractRateBps: null,
    isClaimed: true,
    insolvencyOpenedOn: null,
  } as const
  return {
    ...sample,
    debtor: { ...sample.debtor, isConsumer: type === 'consumer', usesChorus: type === 'public_body' },
    statement: isClaimed ? latePaymentStatement(invoices, 0, terms, sample.today) : null,
    payWithinDays: step === formalNotice ? daysToPay : null,
    mayNameCourt: true,
    collector: voice === 'collector' ? collector : null,
  }
}

function render(
  step: string,
  channel: Channel,
  language: Language,
  voice: Voice,
  type: DebtorType,
): RenderedMessage {
  const content = contentFor(step, language, voice, type)
  const text = textOf(step, channel)!(language, content)
  const body = toPlainText(text.blocks)
  return {
    step,
    channel,
    language,
    voice,
    type,
    content,
    text,
    body: channel === 'sms' ? toGsm(body.trim()) : body,
  }
}

/** All steps on all their channels, in both languages and both voices, to each kind of debtor. */
export const everyMessage: readonly RenderedMessage[] = channels.flatMap(channel =>
  stepsWithTexts(channel).flatMap(step =>
    (['fr', 'en'] as const).flatMap(language =>
      (['creditor', 'collector'] as const).flatMap(voice =>
        debtorTypes.map(type => render(step, channel, language, voice, type)),
      ),
    ),
  ),
)

export const nameOf = ({ step, channel, language, voice, type }: RenderedMessage): string =>
  [step, channel, language, voice, type].join('.')

const address = (name: string, lines: string[], postalCode: string, city: string) => ({
  name,
  lines,
  postalCode,
  city,
  country: 'FR',
})

/** A message by letter, as it is printed. */
export function letterOf({ content, text, language, voice }: RenderedMessage): Promise<Buffer> {
  const { creditor, debtor, invoices, today, collector } = content
  const from =
    voice === 'creditor'
      ? address(creditor.name, ['4 rue des Tanneurs'], '69005', 'Lyon')
      : address(collector!.name, ['8 quai Perrache'], '69002', 'Lyon')
  const to = address(debtor.name, ['12 avenue de la Gare'], '38000', 'Grenoble')
  return printLetter({ from, to, reference: invoices[0]!.number, text, language, today, madeAt: 0 })
}
