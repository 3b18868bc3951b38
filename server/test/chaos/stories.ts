import { setTimeout as pause } from 'node:timers/promises'
import { type Customer, insist, type Told } from './insist.ts'
import type { Random } from './random.ts'

type Trigger = 'start' | 'pause' | 'resume' | 'cancel' | 'escalate'
/** What a customer does to an invoice: a trigger, or money: a part of it, all that is left, or the last payment sent back. */
export type Wish = Trigger | 'part' | 'rest' | 'refund'

interface Answer {
  id?: string
  status?: string
  inFlight?: { communicationId: string }[]
}

export interface Deed extends Told<Answer> {
  wish: Wish
  cents: number
}

const partCents = 10_000

/** What follows a create, by its place among twenty; those not named are left alone. Wishes beside each other are made at once. */
const stories: Record<number, readonly (readonly Wish[])[]> = {
  1: [['pause'], ['resume']],
  2: [['part'], ['rest']],
  3: [['rest']],
  6: [['cancel']],
  7: [['escalate']],
  // One of two invoices of a debtor: the message goes on without it.
  9: [['pause']],
  10: [['rest'], ['refund']],
  11: [['pause']],
  12: [['pause'], ['cancel']],
  16: [['part']],
  17: [['pause'], ['rest']],
  19: [['part', 'part'], ['rest']],
}

export const storyOf = (i: number): readonly (readonly Wish[])[] => stories[i % 20] ?? []

/** Told one after the other, each wish once the one before it was answered; ends with the first that was not. */
export async function liveThrough(
  customer: Customer,
  invoice: { id: string; number: string; amountCents: number },
  story: readonly (readonly Wish[])[],
  random: Random,
): Promise<Deed[]> {
  const deeds: Deed[] = []
  let owed = invoice.amountCents
  let paymentId: string | undefined
  for (const [chapter, wishes] of story.entries()) {
    await pause(random.between(0, chapter === 0 ? 700 : 1_500))
    const told = await Promise.all(
      wishes.map(async (wish, i): Promise<Deed> => {
        const cents = wish === 'part' ? partCents : wish === 'rest' ? owed : 0
        const key = `${invoice.number}-${chapter}-${i}`
        return { wish, cents, ...(await insist<Answer>(customer, { key, ...requestOf(wish, cents) })) }
      }),
    )
    deeds.push(...told)
    if (told.some(deed => deed.data === null)) break
    owed -= told.reduce((sum, deed) => sum + deed.cents, 0)
    paymentId = told[0]!.data!.id ?? paymentId
  }
  return deeds

  function requestOf(wish: Wish, amountCents: number): { path: string; body: unknown } {
    if (wish === 'refund') return { path: `/api/v1/payments/${paymentId}/refund`, body: {} }
    if (wish !== 'part' && wish !== 'rest')
      return { path: `/api/v1/workflow/invoice/${invoice.id}/trigger`, body: { action: wish } }
    const body = { invoiceId: invoice.id, amountCents, method: 'bank_transfer' }
    return { path: '/api/v1/payments', body }
  }
}

type Standing = 'pending' | 'in_recovery' | 'paused' | 'completed' | 'cancelled'

const leadsTo: Partial<Record<Wish, Standing>> = {
  start: 'in_recovery',
  pause: 'paused',
  resume: 'in_recovery',
  cancel: 'cancelled',
  rest: 'completed',
  refund: 'paused',
}

/** Where a recovery must stand when all of this was done to it. */
export const standingAfter = (wasStarted: boolean, deeds: readonly Deed[]): Standing =>
  deeds.reduce<Standing>(
    (standing, { wish }) => leadsTo[wish] ?? standing,
    wasStarted ? 'in_recovery' : 'pending',
  )
