import { calendarFor } from '../../../domain/contact/calendar.ts'
import { nextLegalSlot } from '../../../domain/contact/next-legal-slot.ts'
import { DAY } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { newEvent } from '../../../kit/events.ts'
import { readMemberships } from '../../access/account/company-facts.ts'
import { changeAsPerson } from '../../access/people/act-as-person.ts'
import type { Language } from '../../access/people/texts/page-texts.ts'
import type { SignedInVisit } from '../../access/people/visit.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { createInvoices } from '../../receivables/invoices/create-invoices.ts'
import { disputeInvoice } from '../../receivables/invoices/open-dispute.ts'
import { promisePayment } from '../../receivables/invoices/record-promise.ts'
import { InvoiceInput } from '../../receivables/invoices/schema.ts'
import { sandboxAdvanced } from './audit-events.ts'
import { moveClock } from './store.ts'

const lyon = { country: 'FR', postalCode: '69002' }
const nobodyWasContacted = { contacts: [], month: [], caps: null, isConsumer: false, quietUntil: null }

/** The first moment at which a message may leave. */
const openingAfter = (now: number): number =>
  nextLegalSlot({ ...nobodyWasContacted, calendar: calendarFor(lyon) }, 'email', now).at ?? now

const storyOf = {
  fr: {
    debtors: ['Boulangerie Petitjean', 'Garage Fontaine', 'Hôtel du Parc'],
    dispute: 'Deux pièces de la livraison manquent.',
    note: 'Dit au téléphone : paiement à la fin du mois.',
  },
  en: {
    debtors: ['Petitjean Bakery', 'Fontaine Garage', 'Park Hotel'],
    dispute: 'Two parts of the delivery are missing.',
    note: 'Said on the phone: payment at the end of the month.',
  },
} satisfies Record<Language, object>
const sums = [120_000, 48_000, 365_000]
const daysOverdue = [31, 20, 45]
const promisedInDays = 21

function invoicesOf({ debtors }: (typeof storyOf)[Language], now: number): InvoiceInput[] {
  const dayBefore = (days: number) => iso(now - days * DAY).slice(0, 10)
  return debtors.map((name, i) =>
    InvoiceInput.parse({
      invoiceNumber: `DEMO-${i + 1}`,
      amountCents: sums[i],
      issueDate: dayBefore(daysOverdue[i]! + 30),
      dueDate: dayBefore(daysOverdue[i]!),
      debtor: {
        ...lyon,
        name,
        type: 'business',
        email: `compta@demo-${i + 1}.example`,
        phone: `+3361234560${i + 1}`,
        address: '12 rue Mercière',
        city: 'Lyon',
      },
    }),
  )
}

type FirstVisit = Pick<SignedInVisit, 'context' | 'session' | 'request'>

/**
 * Fills the sandbox for a person who opens the console for the first time: one debtor is reminded, one disputes and one has
 * promised. The clock is first moved to an hour at which a message may leave, so that there is one to read on a Sunday too.
 */
export async function startStory(visit: FirstVisit): Promise<void> {
  const { person } = visit.session
  const [membership] = await readMemberships(visit.context, person.id)
  if (!membership) return
  // In a separate transaction, before anything is scheduled.
  await changeAsPerson(visit, membership, 'sandbox', async call => {
    const { tx, actor, now } = call
    const ms = openingAfter(now) - now
    if (ms === 0) return
    await tx.rows(moveClock, [ms])
    recordAudit(tx, [newEvent(sandboxAdvanced, actor.tenantId, { from: iso(now), to: iso(now + ms) })], call)
  })
  await changeAsPerson(visit, membership, 'sandbox', async call => {
    const story = storyOf[person.language]
    const items = invoicesOf(story, call.now).map(input => ({ input, requestId: call.requestId }))
    const ids = (await createInvoices(call, items, true)).map(verdict =>
      'created' in verdict ? verdict.created.id : null,
    )
    const [, disputed, promised] = ids
    if (disputed) await disputeInvoice(call, disputed, { reason: story.dispute })
    const date = iso(call.now + promisedInDays * DAY).slice(0, 10)
    if (promised) await promisePayment(call, promised, { date, note: story.note })
  })
}
