import type { Channel } from '../contact/channel.ts'
import type { Cents } from '../money/money.ts'

export interface Step {
  readonly name: string
  /** None: a person decides, nothing is sent. */
  readonly channel: Channel | null
  /** Days from the anchor: the start, or the day after the due date if that is later. */
  readonly day: number
}

export interface Cascade {
  readonly name: string
  readonly version: number
  readonly steps: readonly Step[]
}

/** Every step there are words for, and the channel it speaks on. */
export const knownSteps = {
  email_prise_en_charge: 'email',
  relance_email_1: 'email',
  sms_reminder: 'sms',
  relance_email_2: 'email',
  ai_call: 'voice',
  relance_email_3: 'email',
  lrar_mise_en_demeure: 'lrar',
  ai_call_2: 'voice',
  email_dernier_avis: 'email',
  revue_judiciaire: null,
} as const satisfies Record<string, Channel | null>
export type StepName = keyof typeof knownSteps

export const firstNotice: StepName = 'email_prise_en_charge'
export const formalNotice: StepName = 'lrar_mise_en_demeure'
export const review: StepName = 'revue_judiciaire'

/** Beside every cascade: the one message that follows the end of a recovery, so that no stop and no hold calls it back. */
export const closingNotice = 'closing_notice'

/**
 * Answers to the debtor: to a payment, a promise, a dispute. Nobody is reminded by them, so no cap counts them and no stop
 * calls them back; the receipt of a payment goes at once, the others by day.
 */
export const answers = ['payment_receipt', 'promise_confirmed', 'dispute_received'] as const
export type Answer = (typeof answers)[number]
export const isAnswer = (step: string): step is Answer => (answers as readonly string[]).includes(step)
export const isImmediate = (step: string): boolean => step === 'payment_receipt'

/** A promise is not confirmed to whoever has paid meanwhile, or is asked for nothing any more. */
export const isOvertaken = (step: string, recovery: string): boolean =>
  step === 'promise_confirmed' && (recovery === 'completed' || recovery === 'cancelled')

/** What is sent although its recovery is stopped. */
export const outliving: readonly string[] = [closingNotice, ...answers]

/** A first or formal notice: if its fate is unknown it is given again, as a new message in a new slot. */
export const hasLegalEffect = (step: Step): boolean => step.name === firstNotice || step.name === formalNotice

const step = (name: StepName, day: number): Step => ({ name, channel: knownSteps[name], day })

/** A published version never changes: running recoveries name it. A new idea is a new version beside the old one. */
export const builtIn: readonly Cascade[] = [
  {
    name: 'fr_b2b_standard',
    version: 1,
    steps: [
      step('email_prise_en_charge', 0),
      step('relance_email_1', 5),
      step('sms_reminder', 9),
      step('relance_email_2', 14),
      step('ai_call', 18),
      step('relance_email_3', 23),
      step('lrar_mise_en_demeure', 28),
      step('ai_call_2', 40),
      step('email_dernier_avis', 45),
      step('revue_judiciaire', 52),
    ],
  },
  {
    name: 'fr_b2b_fast',
    version: 1,
    steps: [
      step('email_prise_en_charge', 0),
      step('relance_email_1', 4),
      step('ai_call', 7),
      step('lrar_mise_en_demeure', 10),
      step('ai_call_2', 22),
      step('revue_judiciaire', 30),
    ],
  },
  {
    name: 'fr_b2b_small',
    version: 1,
    steps: [
      step('email_prise_en_charge', 0),
      step('relance_email_1', 7),
      step('sms_reminder', 12),
      step('relance_email_2', 20),
      step('relance_email_3', 30),
      step('revue_judiciaire', 40),
    ],
  },
  {
    name: 'fr_consumer',
    version: 1,
    steps: [
      step('email_prise_en_charge', 0),
      step('relance_email_1', 8),
      step('sms_reminder', 15),
      step('relance_email_2', 23),
      step('lrar_mise_en_demeure', 32),
      step('email_dernier_avis', 45),
      step('revue_judiciaire', 60),
    ],
  },
  {
    name: 'fr_public_body',
    version: 1,
    steps: [
      step('email_prise_en_charge', 0),
      step('relance_email_1', 14),
      step('relance_email_2', 30),
      step('lrar_mise_en_demeure', 45),
      step('revue_judiciaire', 60),
    ],
  },
]

export function cascadeOf(name: string, version: number, own?: readonly Step[] | null): Cascade {
  if (own) return { name, version, steps: own }
  const found = builtIn.find(cascade => cascade.name === name && cascade.version === version)
  if (!found) throw new Error(`no cascade ${name} version ${version}`)
  return found
}

const ranks: Record<Channel, number> = { email: 1, sms: 2, voice: 3, lrar: 4 }
/** How intrusive a step is. */
export const rankOf = (of: { channel: Channel | null }): number =>
  of.channel === null ? 5 : ranks[of.channel]

/** By what a debtor can be reached, at this moment. */
export interface Reach {
  readonly hasPhone: boolean
  readonly hasMobile: boolean
  readonly hasAddress: boolean
  /** Closed by the person: opted out, or not the person meant. */
  readonly closed: readonly Channel[]
  readonly balance: Cents
  /** Channels without a provider. */
  readonly missing: readonly Channel[]
}

/** A debtor of whom everything is known: for plans of what nobody asked about yet. */
export const fullReach = (balance: Cents): Reach => ({
  hasPhone: true,
  hasMobile: true,
  hasAddress: true,
  closed: [],
  balance,
  missing: [],
})

export type SkipBecause = 'no_phone' | 'no_mobile' | 'opted_out' | 'small_balance' | 'no_provider'

export type Way =
  | { kind: 'send'; channel: Channel; insteadOf: Channel | null }
  | { kind: 'skip'; because: SkipBecause }
  /** It cannot be sent and must not be skipped. */
  | { kind: 'stand'; because: 'no_provider' }
  | { kind: 'decide' }

const callFrom = 300_00
const letterFrom = 100_00

/** How a step goes out to this debtor, or why it does not. A formal notice is never skipped: it goes by email instead. */
export function wayOf(of: Step, reach: Reach): Way {
  const skip = (because: SkipBecause): Way => ({ kind: 'skip', because })
  const isClosed = (channel: Channel) => reach.closed.includes(channel)
  const send = (channel: Channel, insteadOf: Channel | null = null): Way =>
    reach.missing.includes(channel) ? skip('no_provider') : { kind: 'send', channel, insteadOf }
  const insist = (channel: Channel, insteadOf: Channel | null = null): Way =>
    reach.missing.includes(channel) ? { kind: 'stand', because: 'no_provider' } : send(channel, insteadOf)
  switch (of.channel) {
    case null:
      return { kind: 'decide' }
    case 'email':
      return isClosed('email') ? skip('opted_out') : send('email')
    case 'sms':
      if (!reach.hasMobile) return skip('no_mobile')
      return isClosed('sms') ? skip('opted_out') : send('sms')
    case 'voice':
      if (!reach.hasPhone) return skip('no_phone')
      if (isClosed('voice')) return skip('opted_out')
      return reach.balance < callFrom ? skip('small_balance') : send('voice')
    case 'lrar':
      if (!reach.hasAddress || isClosed('lrar') || reach.balance < letterFrom)
        return isClosed('email') ? skip('opted_out') : insist('email', 'lrar')
      return insist('lrar')
  }
}
