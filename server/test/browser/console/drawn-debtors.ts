import { setTimeout as pause } from 'node:timers/promises'
import { type Random, randomFrom } from '../../chaos/random.ts'
import type { ApiResponse } from '../../harness/use-installation.ts'
import { chance, oneOf } from '../../simulation/population.ts'

type Call = (method: string, path: string, body?: unknown) => Promise<ApiResponse>

export interface DrawnDebtor {
  readonly id: string
  readonly invoiceIds: readonly string[]
}

/** Two of three are where the holidays or the hours differ from those of Paris. */
const places = [
  { postalCode: '68000', city: 'Colmar' },
  { postalCode: '97400', city: 'Saint-Denis' },
  { postalCode: '69002', city: 'Lyon' },
]
const addDays = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** The debtors of one season, in a sandbox whose time passes around a change of the clocks. */
export interface Season {
  readonly begins: string
  readonly acts: string
  readonly read: string
  /** The first day of the calendar that is read. */
  readonly from: string
}
export const seasons: readonly Season[] = [
  { begins: '2026-10-05', acts: '2026-10-22', read: '2026-11-03', from: '2026-10-12' },
  { begins: '2027-03-08', acts: '2027-03-24', read: '2027-04-06', from: '2027-03-15' },
]

/** Lets time pass to nine o'clock of a day, and waits until all that was due has happened. */
export async function advanceTo(call: Call, date: string): Promise<void> {
  for (;;) {
    const { status, body } = await call('POST', '/sandbox/clock', { to: `${date}T09:00:00+01:00` })
    if (status === 423) {
      await pause(500)
      continue
    }
    if (status >= 300) throw new Error(`the clock: ${JSON.stringify(body)}`)
    break
  }
  for (;;) {
    const { body } = await call('GET', '/sandbox/clock')
    if (body.data.status === 'idle') return
    await pause(200)
  }
}

function debtorOf(random: Random, name: string, i: number, number: number) {
  const kind = oneOf(random, ['', '', '', 'bounce+', 'unknown+'])
  const phone = oneOf(random, ['mobile', 'mobile', 'fixed', 'refused', 'none'])
  return {
    name: `${oneOf(random, ['Boulangerie', 'Garage', 'Menuiserie', 'Librairie'])} ${name} ${i}`,
    email: `${kind}compta@${name}-${i}.example`,
    // The last six digits of a number may decide what becomes of a message.
    ...(phone === 'mobile' && { phone: `+336${20_000_009 + 10 * number}` }),
    ...(phone === 'fixed' && { phone: `+333${20_000_009 + 10 * number}` }),
    ...(phone === 'refused' && { phone: `+336${10 + (number % 80)}000001` }),
    ...(chance(random, 0.8) && { address: `${1 + i} rue Mercière` }),
    ...places[i % places.length]!,
    type: oneOf(random, ['business', 'business', 'consumer']),
  }
}

/** What people and debtors do about an invoice; what its state does not allow is refused, and changes nothing. */
const acts: Readonly<
  Record<string, (call: Call, debtor: string, invoice: string, today: string) => Promise<ApiResponse>>
> = {
  promise: (call, _, id, today) =>
    call('POST', `/invoices/${id}/promise`, { date: addDays(today, 6), amountCents: 5_000 }),
  dispute: (call, _, id) => call('POST', `/invoices/${id}/dispute`, { reason: 'La livraison manque' }),
  resolved: async (call, _, id) => {
    await call('POST', `/invoices/${id}/dispute`, { reason: 'La livraison manque' })
    return call('POST', `/invoices/${id}/dispute/resolve`, { outcome: 'rejected' })
  },
  pauseInvoice: (call, _, id) =>
    call('POST', `/workflow/invoice/${id}/trigger`, { action: 'pause', reason: 'Vacances' }),
  pauseDebtor: (call, id) => call('POST', `/debtors/${id}/pause`, {}),
  optOut: (call, debtorId) => call('POST', '/sandbox/simulate/opt-out', { debtorId, channel: 'sms' }),
  wrongPerson: (call, debtorId) =>
    call('POST', '/sandbox/simulate/wrong-person', { debtorId, point: 'phone' }),
  partPayment: (call, _, invoiceId) =>
    call('POST', '/sandbox/simulate/payment', { invoiceId, amountCents: 12_345 }),
  payment: (call, _, invoiceId) => call('POST', '/sandbox/simulate/payment', { invoiceId }),
  credit: (call, _, id, today) =>
    call('POST', `/invoices/${id}/credits`, {
      number: `A-${id.slice(-6)}`,
      amountCents: 1_000,
      issuedOn: today,
    }),
  message: (call, _, id) => call('POST', `/workflow/invoice/${id}/communications`, { channel: 'email' }),
  delivered: (call, _, invoiceId) => call('POST', '/sandbox/simulate/delivered', { invoiceId }),
  bounced: (call, _, invoiceId) => call('POST', '/sandbox/simulate/bounced', { invoiceId }),
}

/** Makes debtors, lets time pass, does something about each of them, and lets time pass again. */
export async function makeDebtors(
  call: Call,
  seed: number,
  count: number,
  season: Season,
): Promise<{ debtors: DrawnDebtor[]; accepted: number }> {
  const random = randomFrom(seed)
  const name = `saison${season.begins.slice(5, 7)}`
  const debtors: DrawnDebtor[] = []
  await advanceTo(call, season.begins)
  for (let i = 0; i < count; i++) {
    const debtor = debtorOf(random, name, i, seed * 1_000 + i)
    const invoiceIds: string[] = []
    let id = ''
    for (let k = random.between(1, 3); k > 0; k--) {
      const dueDate = addDays(season.begins, random.between(-70, 8))
      const { status, body } = await call('POST', '/invoices', {
        invoiceNumber: `${name}-${i}-${k}`,
        amountCents: random.between(4_000, 900_000),
        issueDate: addDays(dueDate, -30),
        dueDate,
        debtor: id ? { id } : debtor,
      })
      if (status !== 201) throw new Error(`an invoice: ${JSON.stringify(body)}`)
      const made = body.data as { id: string; debtor: { id: string } }
      id = made.debtor.id
      invoiceIds.push(made.id)
    }
    debtors.push({ id, invoiceIds })
  }
  await advanceTo(call, season.acts)
  let accepted = 0
  for (const { id, invoiceIds } of debtors)
    for (let k = random.between(0, 2); k > 0; k--) {
      const answer = await acts[oneOf(random, Object.keys(acts))]!(
        call,
        id,
        oneOf(random, invoiceIds),
        season.acts,
      )
      if (answer.status < 300) accepted++
    }
  await advanceTo(call, season.read)
  return { debtors, accepted }
}
