import type { Channel } from '../contact/channel.ts'
import type { Cents } from '../money/money.ts'
import type { Hold } from './recovery-state.ts'

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

/** Every step that has texts, and its channel. */
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
export const stepNames: readonly string[] = Object.keys(knownSteps)

export const firstNotice: StepName = 'email_prise_en_charge'
export const formalNotice: StepName = 'lrar_mise_en_demeure'
export const review: StepName = 'revue_judiciaire'

/** Not part of a cascade: the one message sent after the end of a recovery. No stop and no hold cancels it. */
export const closingNotice = 'closing_notice'

/**
 * Answers to the debtor: to a payment, a promise, a dispute, the outcome of the dispute, that of a reported situation, and what a
 * person wrote to a reply. They are not reminders, so no cap counts them and no stop cancels them. The receipt of a payment is sent
 * at once, the others only during contact hours.
 */
export const answers = [
  'payment_receipt',
  'promise_confirmed',
  'dispute_received',
  'dispute_resolved',
  'situation_checked',
  'reply_answered',
] as const
export type Answer = (typeof answers)[number]

/** Messages beside the cascade that a person asks for: our reminder, their own words, and a list of everything that is open. */
export const requestedMessages = ['extra_message', 'written_message', 'account_statement'] as const
export type RequestedMessage = (typeof requestedMessages)[number]
export const isRequested = (step: string): step is RequestedMessage =>
  (requestedMessages as readonly string[]).includes(step)

/** Every step, and every message outside the cascade. `lost_record`: a contact whose own record was lost. */
export const messageNames: readonly string[] = [
  ...stepNames,
  ...requestedMessages,
  closingNotice,
  ...answers,
  'lost_record',
]
export const isAnswer = (step: string): step is Answer => (answers as readonly string[]).includes(step)
export const isImmediate = (step: string): boolean => step === 'payment_receipt'

/** A promise is not confirmed any more once the invoice is paid or its recovery cancelled. */
export const isObsolete = (step: string, recovery: string): boolean =>
  step === 'promise_confirmed' && (recovery === 'completed' || recovery === 'cancelled')

/** A person wrote it before they knew: to somebody who died or is insolvent it is not sent any more. */
export const isOvertaken = (step: string, hold: Hold | null): boolean =>
  step === 'reply_answered' && (hold === 'situation' || hold === 'insolvency')

/** The messages that are sent although their recovery is stopped. */
export const stepsSentAfterStop: readonly string[] = [closingNotice, ...answers]

/** A first or formal notice: if its outcome is unknown it is sent again, as a new message in a new slot. */
export const hasLegalEffect = (step: Step): boolean => step.name === firstNotice || step.name === formalNotice

const makeStep = (name: StepName, day: number): Step => ({ name, channel: knownSteps[name], day })

/** A published version never changes, because running recoveries refer to it. A change is published as an additional version. */
export const builtInCascades: readonly Cascade[] = [
  {
    name: 'fr_b2b_standard',
    version: 1,
    steps: [
      makeStep('email_prise_en_charge', 0),
      makeStep('relance_email_1', 5),
      makeStep('sms_reminder', 9),
      makeStep('relance_email_2', 14),
      makeStep('ai_call', 18),
      makeStep('relance_email_3', 23),
      makeStep('lrar_mise_en_demeure', 28),
      makeStep('ai_call_2', 40),
      makeStep('email_dernier_avis', 45),
      makeStep('revue_judiciaire', 52),
    ],
  },
  {
    name: 'fr_b2b_fast',
    version: 1,
    steps: [
      makeStep('email_prise_en_charge', 0),
      makeStep('relance_email_1', 4),
      makeStep('ai_call', 7),
      makeStep('lrar_mise_en_demeure', 10),
      makeStep('ai_call_2', 22),
      makeStep('revue_judiciaire', 30),
    ],
  },
  {
    name: 'fr_b2b_small',
    version: 1,
    steps: [
      makeStep('email_prise_en_charge', 0),
      makeStep('relance_email_1', 7),
      makeStep('sms_reminder', 12),
      makeStep('relance_email_2', 20),
      makeStep('relance_email_3', 30),
      makeStep('revue_judiciaire', 40),
    ],
  },
  {
    name: 'fr_consumer',
    version: 1,
    steps: [
      makeStep('email_prise_en_charge', 0),
      makeStep('relance_email_1', 8),
      makeStep('sms_reminder', 15),
      makeStep('relance_email_2', 23),
      makeStep('lrar_mise_en_demeure', 32),
      makeStep('email_dernier_avis', 45),
      makeStep('revue_judiciaire', 60),
    ],
  },
  {
    name: 'fr_public_body',
    version: 1,
    steps: [
      makeStep('email_prise_en_charge', 0),
      makeStep('relance_email_1', 14),
      makeStep('relance_email_2', 30),
      makeStep('lrar_mise_en_demeure', 45),
      makeStep('revue_judiciaire', 60),
    ],
  },
]

/** What a cascade sends after a step: nothing more, a formal notice next, or something else first. */
export type Following = 'nothing' | 'formal_notice' | 'contact'

function followingStep(steps: readonly Step[], name: string): Following {
  const at = steps.findIndex(step => step.name === name)
  if (at === -1) return 'contact'
  const next = steps.slice(at + 1).find(({ channel }) => channel !== null)
  if (!next) return 'nothing'
  return next.name === formalNotice ? 'formal_notice' : 'contact'
}

/** The same for a message about invoices of several cascades: what is true of one of them only is not said. */
export function followingIn(cascades: readonly Pick<Cascade, 'steps'>[], name: string): Following {
  const [one, ...more] = new Set(cascades.map(({ steps }) => followingStep(steps, name)))
  return one === undefined || more.length > 0 ? 'contact' : one
}

export function cascadeOf(name: string, version: number, ownSteps?: readonly Step[] | null): Cascade {
  if (ownSteps) return { name, version, steps: ownSteps }
  const found = builtInCascades.find(cascade => cascade.name === name && cascade.version === version)
  if (!found) throw new Error(`no cascade ${name} version ${version}`)
  return found
}

const ranks: Record<Channel, number> = { email: 1, sms: 2, voice: 3, lrar: 4 }
/** How intrusive a step is. */
export const rankOf = (step: { channel: Channel | null }): number =>
  step.channel === null ? 5 : ranks[step.channel]

/** How a debtor can be reached at this moment. */
export interface Reach {
  readonly hasPhone: boolean
  readonly hasMobile: boolean
  readonly hasAddress: boolean
  /** Closed by the person: opted out, or not the person meant. */
  readonly closed: readonly Channel[]
  /** The address of the channel refused a message for good; absent: none did. A person has to correct it. */
  readonly refused?: readonly Channel[]
  readonly balance: Cents
  /** Channels without a provider. */
  readonly missing: readonly Channel[]
  /** Null or absent: the creditor writes in its own name. */
  readonly collected?: Collected | null
}

/** What a collector needs before it contacts anybody about an invoice: art. R124-3 and R124-4 C. pr. civ. d'exécution. */
export interface Collected {
  /** The invoice is in a list of claims of the current mandate. */
  readonly isListed: boolean
  /** The collector may collect where the debtor is. */
  readonly isInScope: boolean
  /** The letter that a provider accepted: an email or a letter with everything that the law wants. Null: none yet. */
  readonly letterId: string | null
  /** The letter went by email and came back. */
  readonly hasBounced: boolean
}

/** Why a collector sends nothing at all about an invoice; null if it may. */
export const notCollectedBecause = ({
  collected,
}: Pick<Reach, 'collected'>): 'claim_unlisted' | 'collector_abroad' | null => {
  if (!collected) return null
  if (!collected.isListed) return 'claim_unlisted'
  return collected.isInScope ? null : 'collector_abroad'
}

const isLetter = (channel: Channel): boolean => channel === 'email' || channel === 'lrar'

/** A collector's first contact is a letter. */
export const needsLetterFirst = ({ collected }: Pick<Reach, 'collected'>, channel: Channel): boolean =>
  collected != null && collected.letterId === null && !isLetter(channel)

/** Whether a message on this channel, once accepted, is the letter with which a collector begins. */
export const isFirstLetterOn = ({ collected }: Pick<Reach, 'collected'>, channel: Channel): boolean =>
  collected != null && collected.letterId === null && isLetter(channel)

/** The reach after a message was accepted on a channel: the first letter of a collector opens the other channels. */
export const reachAfter = (reach: Reach, messageId: string, channel: Channel): Reach =>
  reach.collected && isFirstLetterOn(reach, channel)
    ? { ...reach, collected: { ...reach.collected, letterId: messageId, hasBounced: false } }
    : reach

/** A debtor with all contact details: used to plan before the details are known. */
export const fullReach = (balance: Cents): Reach => ({
  hasPhone: true,
  hasMobile: true,
  hasAddress: true,
  closed: [],
  balance,
  missing: [],
})

/** Why this debtor cannot be reached on a channel, whatever the moment; null if it can. */
export function unreachableBecause(
  reach: Omit<Reach, 'balance' | 'missing'>,
  channel: Channel,
): 'channel_closed' | 'no_mobile' | 'no_phone' | 'no_address' | 'address_refused' | null {
  if (reach.closed.includes(channel)) return 'channel_closed'
  if (channel === 'sms' && !reach.hasMobile) return 'no_mobile'
  if (channel === 'voice' && !reach.hasPhone) return 'no_phone'
  if (channel === 'lrar' && !reach.hasAddress) return 'no_address'
  return isRefused(reach, channel) ? 'address_refused' : null
}

const isRefused = ({ refused = [] }: Pick<Reach, 'refused'>, channel: Channel): boolean =>
  refused.includes(channel)

export type SkipBecause =
  | 'no_phone'
  | 'no_mobile'
  | 'opted_out'
  | 'small_balance'
  | 'no_provider'
  /** A formal notice of another invoice left on the same channel that day. */
  | 'notice_instead'
  /** A requested message is sent instead. */
  | 'replaced'
  /** A collector's first contact is a letter. */
  | 'letter_first'

export type StepOutcome =
  | { kind: 'send'; channel: Channel; insteadOf: Channel | null }
  | { kind: 'skip'; because: SkipBecause }
  /** The recovery is blocked: the step cannot be sent and must not be skipped. */
  | { kind: 'stand'; because: 'no_provider' | 'claim_unlisted' | 'collector_abroad' }
  | { kind: 'decide' }
  /** The address of every channel that could carry the step refused a message: it waits until a person corrects one. */
  | { kind: 'wait'; because: 'address_refused' }

const callMinCents = 300_00
const letterMinCents = 100_00

/**
 * How a step is sent to this debtor, or why it is not. A formal notice is not skipped for lack of an address: it is emailed. A step
 * whose address refused a message waits, unless it has another channel.
 */
export function stepOutcomeOf(step: Step, reach: Reach): StepOutcome {
  const skip = (because: SkipBecause): StepOutcome => ({ kind: 'skip', because })
  const isClosed = (channel: Channel) => reach.closed.includes(channel)
  const send = (channel: Channel, insteadOf: Channel | null = null): StepOutcome =>
    reach.missing.includes(channel) ? skip('no_provider') : { kind: 'send', channel, insteadOf }
  const sendOrStand = (channel: Channel, insteadOf: Channel | null = null): StepOutcome =>
    reach.missing.includes(channel) ? { kind: 'stand', because: 'no_provider' } : send(channel, insteadOf)
  if (step.channel !== null) {
    const because = notCollectedBecause(reach)
    if (because !== null) return { kind: 'stand', because }
    const letter = firstLetterOf(step.channel, reach)
    if (letter !== null) return letter
  }
  const sendOrWait = (channel: Channel): StepOutcome =>
    isRefused(reach, channel) ? waitForAddress : send(channel)
  switch (step.channel) {
    case null:
      return { kind: 'decide' }
    case 'email':
      return isClosed('email') ? skip('opted_out') : sendOrWait('email')
    case 'sms':
      if (!reach.hasMobile) return skip('no_mobile')
      return isClosed('sms') ? skip('opted_out') : sendOrWait('sms')
    case 'voice':
      if (!reach.hasPhone) return skip('no_phone')
      if (isClosed('voice')) return skip('opted_out')
      return reach.balance < callMinCents ? skip('small_balance') : sendOrWait('voice')
    case 'lrar': {
      const isOnPaper = reach.hasAddress && !isClosed('lrar') && reach.balance >= letterMinCents
      if (isOnPaper && !isRefused(reach, 'lrar')) return sendOrStand('lrar')
      if (isClosed('email')) return isOnPaper ? waitForAddress : skip('opted_out')
      return isRefused(reach, 'email') ? waitForAddress : sendOrStand('email', 'lrar')
    }
  }
}

const waitForAddress: StepOutcome = { kind: 'wait', because: 'address_refused' }

/**
 * How the first letter of a collector is sent: by email, or on paper if no email can be sent or the last one came back. Until
 * then text messages and calls are left out. Null: the letter was sent, or the creditor writes itself.
 */
function firstLetterOf(channel: Channel, reach: Reach): StepOutcome | null {
  const { collected } = reach
  if (!collected || collected.letterId !== null) return null
  if (!isLetter(channel)) return { kind: 'skip', because: 'letter_first' }
  const isOpen = (by: Channel) => unreachableBecause(reach, by) === null
  const isPaperFirst = channel === 'lrar' || collected.hasBounced
  const open = (isPaperFirst ? (['lrar', 'email'] as const) : (['email', 'lrar'] as const)).filter(isOpen)
  const by = open.find(each => !reach.missing.includes(each))
  if (by) return { kind: 'send', channel: by, insteadOf: by === channel ? null : channel }
  if (open.length > 0) return { kind: 'stand', because: 'no_provider' }
  const isAnyRefused = (['email', 'lrar'] as const).some(
    each => unreachableBecause(reach, each) === 'address_refused',
  )
  return isAnyRefused ? waitForAddress : { kind: 'skip', because: 'opted_out' }
}
