import { randomInt } from 'node:crypto'
import { events } from '../generated/commands.ts'
import type { CreatedInvoice, EventName, Relance, WebhookEvent } from '../index.ts'
import { nearest } from './command-line.ts'
import { RefusedError, UsageError } from './errors.ts'
import { follow } from './listen.ts'
import { note, print } from './output.ts'
import { advanceClock } from './watch.ts'

const dayMs = 24 * 3_600_000

/** A new invoice in the sandbox, and what can happen to it there. */
interface Scene {
  relance: Relance
  invoice: CreatedInvoice
  advance(duration: string): Promise<void>
}

type Recipe = (scene: Scene) => Promise<unknown>

const nothingMore: Recipe = async () => {}
/** The first email is sent by then, at any day and hour. */
const untilContacted: Recipe = ({ advance }) => advance('P5D')
const untilLetter: Recipe = ({ advance }) => advance('P45D')

/** The calls that cause each event. A type without its recipe does not compile. */
const recipes: Record<EventName, Recipe> = {
  'invoice.created': nothingMore,
  'invoice.updated': ({ relance, invoice }) =>
    relance.invoices.update(invoice.id, { notes: 'relance trigger' }),
  'invoice.status_changed': ({ relance, invoice }) =>
    relance.sandbox.simulateDispute({ invoiceId: invoice.id }),
  'payment.received': ({ relance, invoice }) =>
    relance.sandbox.simulatePayment({ invoiceId: invoice.id, amountCents: 20_000 }),
  async 'payment.failed'({ relance, invoice }) {
    const { id } = await relance.payments.create({
      invoiceId: invoice.id,
      amountCents: 20_000,
      method: 'sepa_debit',
      status: 'pending',
    })
    await relance.payments.settle(id!, { status: 'failed', failureReason: 'relance trigger' })
  },
  'debt.paid': ({ relance, invoice }) => relance.sandbox.simulatePayment({ invoiceId: invoice.id }),
  'workflow.started': nothingMore,
  'workflow.action_triggered': untilContacted,
  'workflow.completed': ({ relance, invoice }) => relance.sandbox.simulatePayment({ invoiceId: invoice.id }),
  'lrar.sent': untilLetter,
  async 'lrar.delivered'(scene) {
    await untilLetter(scene)
    await scene.relance.sandbox.simulateLrarSigned({ invoiceId: scene.invoice.id })
  },
  'debtor.contacted': untilContacted,
  // The assistant asks for a confirmation first.
  async 'cascade.action'({ relance, invoice }) {
    const { conversationId } = await relance.agent.chat({
      message: `Pause the recovery of invoice ${invoice.id}.`,
    })
    await relance.agent.chat({ message: 'yes', conversationId })
  },
  async 'judicial.started'(scene) {
    await untilLetter(scene)
    await scene.relance.sandbox.simulateLrarSigned({ invoiceId: scene.invoice.id })
    await scene.advance('P30D')
    await scene.relance.workflow.trigger(scene.invoice.id, { action: 'escalate' })
  },
  'anr.created': ({ relance, invoice }) => relance.invoices.writeOff(invoice.id, { basis: 'untraceable' }),
  'promise.recorded': ({ relance, invoice }) => relance.sandbox.simulatePromise({ invoiceId: invoice.id }),
  async 'promise.broken'({ relance, invoice, advance }) {
    await relance.sandbox.simulatePromise({ invoiceId: invoice.id })
    await advance('P30D')
  },
  'dispute.opened': ({ relance, invoice }) => relance.sandbox.simulateDispute({ invoiceId: invoice.id }),
  async 'dispute.resolved'({ relance, invoice }) {
    await relance.sandbox.simulateDispute({ invoiceId: invoice.id })
    await relance.invoices.resolveDispute(invoice.id, { outcome: 'rejected' })
  },
  async 'message.bounced'(scene) {
    await untilContacted(scene)
    await scene.relance.sandbox.simulateBounced({ invoiceId: scene.invoice.id })
  },
  'debtor.opted_out': ({ relance, invoice }) =>
    relance.sandbox.simulateOptOut({ debtorId: invoice.debtor.id, channel: 'sms' }),
  'debtor.wrong_person': ({ relance, invoice }) =>
    relance.sandbox.simulateWrongPerson({ debtorId: invoice.debtor.id, point: 'phone' }),
  async 'reply.received'(scene) {
    await untilContacted(scene)
    await scene.relance.sandbox.simulateReply({ invoiceId: scene.invoice.id })
  },
  async 'reply.closed'(scene) {
    await untilContacted(scene)
    const { relance, invoice } = scene
    const { replyId } = await relance.sandbox.simulateReply({ invoiceId: invoice.id })
    await relance.debtors.closeReply(invoice.debtor.id, replyId!, { outcome: 'other' })
  },
  async 'debtor.request_due'({ relance, invoice }) {
    const now = Date.parse((await relance.sandbox.clock()).now)
    const receivedOn = new Date(now - 27 * dayMs).toISOString().slice(0, 10)
    await relance.debtors.recordDataRequest(invoice.debtor.id, { kind: 'objection', receivedOn })
  },
  async 'situation.reported'(scene) {
    await untilContacted(scene)
    await scene.relance.sandbox.simulateReply({ invoiceId: scene.invoice.id, said: 'deceased' })
  },
  async 'situation.decided'(scene) {
    await untilContacted(scene)
    const { relance, invoice } = scene
    const { replyId } = await relance.sandbox.simulateReply({ invoiceId: invoice.id, said: 'deceased' })
    await relance.debtors.decideSituation(invoice.debtor.id, replyId, { decision: 'not_confirmed' })
  },
  'insolvency.declaration_due': ({ relance, invoice }) =>
    relance.debtors.update(invoice.debtor.id, {
      insolvency: { kind: 'over_indebtedness', openedOn: invoice.createdAt.slice(0, 10) },
    }),
  'workflow.paused': ({ relance, invoice }) => relance.workflow.trigger(invoice.id, { action: 'pause' }),
  async 'decision.due'({ relance, invoice }) {
    await relance.sandbox.simulateDispute({ invoiceId: invoice.id })
    await relance.invoices.resolveDispute(invoice.id, { outcome: 'upheld' })
  },
  // A special time of the law, so short that its end is near.
  async 'limitation.approaching'({ relance, invoice, advance }) {
    await relance.invoices.update(invoice.id, { limitationMonths: 12 })
    await advance('P1D')
  },
  'task.finished': ({ relance, invoice }) => relance.tasks.bulk({ action: 'pause', ids: [invoice.id] }),
  // A workbook that is cut off after its first bytes.
  'task.failed': ({ relance }) =>
    relance.tasks.import(new Blob([new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 0, 0])]), {
      fileName: 'cut-off.xlsx',
    }),
}

/** As other products call them. */
const otherNames: Record<string, EventName> = {
  'invoice.paid': 'debt.paid',
  'invoice.disputed': 'dispute.opened',
}

export const triggerRows = (): [string, string][] =>
  Object.entries(events).map(([name, summary]) => [name, summary])

function eventNamed(word: string): EventName {
  const name = otherNames[word] ?? word
  if (!Object.hasOwn(recipes, name))
    throw new UsageError(
      `There is no event ${JSON.stringify(word)}.${nearest(word, Object.keys(recipes))} \`relance trigger\` lists them.`,
    )
  return name as EventName
}

async function newInvoice(relance: Relance): Promise<CreatedInvoice> {
  const now = Date.parse((await relance.sandbox.clock()).now)
  const day = (daysAgo: number) => new Date(now - daysAgo * dayMs).toISOString().slice(0, 10)
  const number = randomInt(10_000_000, 99_999_999)
  return relance.invoices.create({
    invoiceNumber: `CLI-${number}`,
    amountCents: 120_000,
    issueDate: day(60),
    dueDate: day(30),
    debtor: {
      name: `Durand ${number} SARL`,
      email: `compta@durand-${number}.example`,
      phone: `+336${number}`,
      address: '12 rue Mercière',
      postalCode: '69002',
      city: 'Lyon',
      type: 'business',
    },
  })
}

/** Whether the event is about the invoice or the debtor of this run; events of tasks have neither. */
const isAbout = ({ data }: WebhookEvent, { id, debtor }: CreatedInvoice): boolean => {
  const { invoiceId, debtorId } = data as { invoiceId?: string; debtorId?: string }
  return invoiceId === undefined && debtorId === undefined ? true : invoiceId === id || debtorId === debtor.id
}

/** Causes a real event in the sandbox, and prints it when it arrives. */
export async function trigger(
  relance: Relance,
  word: string,
  isJson: boolean,
  waitMs = 60_000,
): Promise<void> {
  const name = eventNamed(word)
  const { nextCursor } = await relance.events.list({ start: 'now' })
  const invoice = await newInvoice(relance)
  note(`created invoice ${invoice.invoiceNumber} (${invoice.id})`)
  await recipes[name]({
    relance,
    invoice,
    async advance(duration) {
      const { now } = await advanceClock(relance, { advance: duration })
      note(`advanced the clock of the sandbox by ${duration}; it is ${now} there`)
    },
  })
  const found = follow(relance, {
    types: name,
    since: nextCursor!,
    signal: AbortSignal.timeout(waitMs),
    pollMs: 300,
  })
  for await (const { event } of found)
    if (event && isAbout(event, invoice))
      return print(
        isJson ? JSON.stringify(event, null, 2) : `${event.createdAt}  ${event.event}  ${event.id}`,
      )
  throw new RefusedError(
    `${name} did not come within ${waitMs / 1000} seconds; is a worker running? The history: relance watch ${invoice.id}`,
  )
}
