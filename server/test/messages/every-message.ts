import { type Channel, channels } from '../../src/domain/contact/channel.ts'
import { type DebtorType, debtorTypes } from '../../src/domain/debtor-type.ts'
import { formalNotice, stepsSentAfterStop } from '../../src/domain/recovery/cascade.ts'
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

type DisputeEnd = NonNullable<NonNullable<MessageContent['about']>['outcome']>

/** The facts of each end of a dispute, and what is left of 1 200 €. */
const disputeEnds: Record<DisputeEnd, { about: NonNullable<MessageContent['about']>; balanceCents: number }> =
  {
    rejected: {
      about: { outcome: 'rejected', answer: 'Delivery note 1178 is signed.' },
      balanceCents: 120_000,
    },
    partly: { about: { outcome: 'partly', amountCents: 24_000 }, balanceCents: 96_000 },
    upheld: { about: { outcome: 'upheld' }, balanceCents: 120_000 },
    resumed: { about: { outcome: 'resumed' }, balanceCents: 120_000 },
  }
const endsOfDisputes = Object.keys(disputeEnds) as DisputeEnd[]

export type Voice = 'creditor' | 'collector'

/** One message as a debtor may get it. */
export interface RenderedMessage {
  step: string
  channel: Channel
  language: Language
  voice: Voice
  type: DebtorType
  variant: string
  content: MessageContent
  text: Text
  /** As plain text; of a text message, as it is sent. */
  body: string
}

const collector: NonNullable<MessageContent['collector']> = {
  name: 'Cabinet Rivoire',
  address: '8 quai Perrache, 69002 Lyon',
  siren: '732829320',
  letters: [{ reference: 'R-4T9K2QM', day: '2026-05-20' }],
}

const receipt = {
  amountCents: 120_000,
  method: 'bank_transfer',
  principalCents: 120_000,
  indemnityCents: 0,
  interestCents: 0,
  overpaidCents: 0,
  owedCents: 0,
} as const

type Invoice = MessageContent['invoices'][number] & {
  id: string
  amountCents: number
  movements: { on: string; cents: number }[]
}

/** What differs from the plain message. Null where the variant makes no difference. */
interface Variant {
  name: string
  /** Left out: it may differ in every message. */
  concerns?: (message: Pick<RenderedMessage, 'step' | 'channel' | 'voice' | 'type'>) => boolean
  invoices?: (invoices: readonly Invoice[]) => Invoice[]
  insolvencyOpenedOn?: string
  content?: (content: MessageContent) => Partial<MessageContent>
}

const changeCreditor =
  (changes: Partial<MessageContent['creditor']>) =>
  ({ creditor }: MessageContent) => ({ creditor: { ...creditor, ...changes } })

const more = (invoice: Invoice, count: number): Invoice[] =>
  Array.from({ length: count }, (_, i) => ({ ...invoice, id: `more ${i}`, number: `FAC-2026-1${i}` }))

const asksForMoney = (step: string) => !stepsSentAfterStop.includes(step)
const saysWhatFollows = ['relance_email_3', formalNotice, 'email_dernier_avis']
const followings = ['nothing', 'formal_notice', 'contact'] as const

/** A variant goes together with those of other groups. */
const variants: readonly (readonly Variant[])[] = [
  [
    {
      name: 'three_invoices',
      concerns: ({ step }) => asksForMoney(step),
      invoices: invoices => [...invoices, ...more(invoices[0]!, 2)],
    },
    {
      name: 'many_invoices',
      concerns: ({ step }) => asksForMoney(step),
      invoices: invoices => [...invoices, ...more(invoices[0]!, 24)],
    },
    {
      name: 'other_currency',
      concerns: ({ step }) => asksForMoney(step),
      invoices: invoices => [...invoices, { ...invoices[0]!, id: 'chf', number: 'CH-7', currency: 'CHF' }],
    },
    {
      name: 'also_open',
      concerns: ({ step }) => asksForMoney(step),
      content: ({ invoices }) => ({ alsoOpen: [{ ...invoices[0]!, number: 'FAC-2026-000050' }] }),
    },
    {
      name: 'part_payment',
      concerns: ({ step }) => step !== 'payment_receipt',
      invoices: invoices =>
        invoices.map(invoice => ({
          ...invoice,
          balanceCents: 80_000,
          movements: [{ on: '2026-06-01', cents: 40_000 }],
        })),
    },
    {
      name: 'earlier_claim',
      concerns: ({ step, type }) => type !== 'consumer' && !claimingSteps.includes(step),
      invoices: invoices => invoices.map(invoice => ({ ...invoice, accessoriesCents: 5_798 })),
      content: () => ({ hasEarlierClaim: true }),
    },
  ],
  [
    { name: 'no_telephone', content: changeCreditor({ telephone: null }) },
    { name: 'no_replies', content: changeCreditor({ receivesReplies: false }) },
    {
      name: 'no_telephone_no_replies',
      content: changeCreditor({ telephone: null, receivesReplies: false }),
    },
    {
      name: 'no_mediator',
      concerns: ({ type }) => type === 'consumer',
      content: changeCreditor({ mediator: null }),
    },
  ],
  // Of a claim that is time-barred or of somebody insolvent, no message names the court.
  [
    {
      name: 'no_court',
      concerns: ({ step }) => saysWhatFollows.includes(step),
      content: () => ({ mayNameCourt: false }),
    },
    {
      name: 'barred',
      concerns: ({ step, type }) => type !== 'consumer' && asksForMoney(step),
      content: () => ({ mayNameCourt: false, isTimeBarred: true }),
    },
    {
      name: 'nothing_asked',
      concerns: ({ step }) => !asksForMoney(step) && step !== 'promise_confirmed',
      content: () => ({ mayNameCourt: false, isNothingAsked: true }),
    },
    {
      name: 'insolvent',
      concerns: ({ step, type }) => type !== 'consumer' && asksForMoney(step),
      insolvencyOpenedOn: '2026-06-01',
      content: () => ({ mayNameCourt: false }),
    },
  ],
  [
    ...followings.map(following => ({
      name: `then_${following}`,
      concerns: ({ step }: Pick<RenderedMessage, 'step'>) => saysWhatFollows.includes(step),
      content: () => ({ following }),
    })),
    ...endsOfDisputes.map(outcome => ({
      name: outcome,
      concerns: ({ step }: Pick<RenderedMessage, 'step'>) => step === 'dispute_resolved',
      content: ({ invoices }: MessageContent) => {
        const { about, balanceCents } = disputeEnds[outcome]
        return { about, invoices: invoices.map(invoice => ({ ...invoice, balanceCents })) }
      },
    })),
    ...(['yes', 'no'] as const).map(owed => ({
      name: `owed_${owed}`,
      concerns: ({ step }: Pick<RenderedMessage, 'step'>) => step === 'closing_notice',
      content: () => ({ about: { owed } }),
    })),
    {
      name: 'several_paid',
      concerns: ({ step, voice }) => step === 'payment_receipt' && voice === 'collector',
      content: ({ about }) => ({
        about: {
          ...about,
          instrument: 'cheque',
          owedCents: 5_000,
          parts: [
            { number: 'FAC-2026-000042', amountCents: 100_000, owedCents: 0 },
            { number: 'FAC-2026-10', amountCents: 20_000, owedCents: 5_000 },
          ],
        },
      }),
    },
    {
      name: 'several_promised',
      concerns: ({ step }) => step === 'promise_confirmed',
      content: ({ about }) => ({ about: { ...about, numbers: 'FAC-2026-000042, FAC-2026-10' } }),
    },
    {
      name: 'asked_for_number',
      concerns: ({ channel, type }) => channel === 'sms' && type === 'consumer',
      content: ({ debtor }) => ({ debtor: { ...debtor, isAskedForNumber: true } }),
    },
  ],
]

function contentFor(
  { step, language, voice, type }: Pick<RenderedMessage, 'step' | 'language' | 'voice' | 'type'>,
  changed: readonly Variant[],
): MessageContent {
  const sample = sampleContent(language, step)
  const isClaimed = claimingSteps.includes(step) && type !== 'consumer'
  let invoices: Invoice[] = sample.invoices.map(invoice => ({
    ...invoice,
    id: 'sample',
    amountCents: 120_000,
    movements: [],
  }))
  for (const variant of changed) invoices = variant.invoices?.(invoices) ?? invoices
  const terms = {
    debtorType: type,
    creditorCountry: 'FR',
    rates: [{ kind: 'ecb', startsOn: '2026-01-01', bps: 215 }],
    contractRateBps: null,
    isClaimed: true,
    insolvencyOpenedOn:
      changed.flatMap(({ insolvencyOpenedOn = null }) => insolvencyOpenedOn ?? [])[0] ?? null,
  } as const
  let content: MessageContent = {
    ...sample,
    invoices,
    debtor: { ...sample.debtor, isConsumer: type === 'consumer', usesChorus: type === 'public_body' },
    statement: isClaimed ? latePaymentStatement(invoices, 0, terms, sample.today) : null,
    payWithinDays: step === formalNotice ? daysToPay : null,
    mayNameCourt: true,
    collector: voice === 'collector' ? collector : null,
    about:
      voice === 'collector' && step === 'payment_receipt' ? { ...sample.about, ...receipt } : sample.about,
  }
  for (const variant of changed) content = { ...content, ...variant.content?.(content) }
  return content
}

type Kind = Pick<RenderedMessage, 'step' | 'channel' | 'language' | 'voice' | 'type'>

function render(kind: Kind, changed: readonly Variant[] = []): RenderedMessage {
  const { step, channel, language } = kind
  const content = contentFor(kind, changed)
  const text = textOf(step, channel)!(language, content)
  const body = toPlainText(text.blocks)
  return {
    ...kind,
    variant: changed.map(({ name }) => name).join('+'),
    content,
    text,
    body: channel === 'sms' ? toGsm(body.trim()) : body,
  }
}

const everyKind: readonly Kind[] = channels.flatMap(channel =>
  stepsWithTexts(channel).flatMap(step =>
    (['fr', 'en'] as const).flatMap(language =>
      (['creditor', 'collector'] as const).flatMap(voice =>
        debtorTypes.map(type => ({ step, channel, language, voice, type })),
      ),
    ),
  ),
)

/** All steps on all their channels, in both languages and both voices, to each kind of debtor. */
export const everyMessage: readonly RenderedMessage[] = everyKind.map(kind => render(kind))

/** Each variant that concerns a kind of message, alone and with one of another group. */
function variantsOf(kind: Kind): Variant[][] {
  const groups = variants.map(group => group.filter(({ concerns }) => concerns?.(kind) ?? true))
  return groups.flatMap((group, i) =>
    group.flatMap(one => [
      [one],
      ...groups.slice(i + 1).flatMap(others => others.map(other => [one, other])),
    ]),
  )
}

/** Every message in every variant: what is on file about the parties, the invoices, what follows and what was decided. */
export const everyVariant = (): RenderedMessage[] =>
  everyKind.flatMap(kind => variantsOf(kind).map(changed => render(kind, changed)))

export const nameOf = ({ step, channel, language, voice, type, variant }: RenderedMessage): string =>
  [step, channel, language, voice, type, ...(variant === '' ? [] : [variant])].join('.')

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
