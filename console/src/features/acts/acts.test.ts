import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InvoiceAct } from '@relance/sdk'
import { describe, expect, it } from 'vitest'
import { daysOf, limitOf } from '../../lib/limits.ts'
import { decisionsOf, instantOf, isComplete, type Subject, shownFields, type Values } from './act-fields.ts'
import { type ActRequest, acts, actsFor, firstValues, operationOf } from './acts.ts'
import { type ActKey, words } from './words.ts'

const contract = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../server/openapi.json'), 'utf8'),
)
interface Described {
  operationId: string
  requestBody?: { content: Record<string, { schema: { $ref: string } }> }
}
const operations = new Map(
  Object.values<Record<string, Described>>(contract.paths).flatMap(methods =>
    Object.values(methods).map(one => [one.operationId, one] as const),
  ),
)
interface Schema {
  $ref?: string
  anyOf?: Schema[]
  properties?: Record<string, Schema>
}
const resolved = (schema: Schema | undefined): Schema => {
  const known = schema?.anyOf?.find(({ $ref }) => $ref) ?? schema ?? {}
  return known.$ref === undefined
    ? known
    : resolved(contract.components.schemas[known.$ref.split('/').at(-1)!])
}
const bodyOf = (operation: Described): Schema =>
  resolved(operation.requestBody?.content['application/json']?.schema)
/** `insolvency.openedOn` is a field of a field. */
const hasField = (body: Schema, path: string): boolean => {
  const [name = '', ...rest] = path.split('.')
  const field = body.properties?.[name]
  return field !== undefined && (rest.length === 0 || hasField(resolved(field), rest.join('.')))
}

const invoice: Subject = {
  kind: 'invoice',
  id: 'one',
  name: 'F-1',
  debtorId: 'two',
  currency: 'EUR',
  balanceCents: 120_000,
  timeZone: 'Europe/Paris',
  standing: 'running',
  acts: [],
}
const debtor: Subject = {
  kind: 'debtor',
  id: 'two',
  name: 'Atelier',
  currency: 'EUR',
  timeZone: 'Europe/Paris',
  reported: null,
  insolvency: null,
  contact: {
    email: 'a@atelier.example',
    phone: null,
    siret: null,
    address: '1 rue du Port',
    postalCode: '69002',
    city: 'Lyon',
  },
  acts: [],
}
const everything = () => true
const keys = (list: readonly { key: ActKey }[]) => list.map(({ key }) => key)

describe('each act', () => {
  it('has its words in both languages, and every word belongs to an act', () => {
    // The last two end a task, and are in no menu.
    const all = [...keys(acts), 'closeReply', 'decideRequest']
    for (const language of ['fr', 'en'] as const)
      expect(Object.keys(words[language].acts).toSorted()).toEqual(all.toSorted())
  })

  it.each(acts.filter(({ key }) => key !== 'message').map(act => [act.key, act] as const))(
    '%s asks the API to do it: no form does nothing',
    async (_, act) => {
      const called: string[] = []
      const refuse = (name: string) => () => {
        called.push(name)
        return Promise.reject(new Error('that is enough'))
      }
      // Every operation of every part of the SDK.
      const part = (of: string) => new Proxy({}, { get: (_part, name) => refuse(`${of}.${String(name)}`) })
      const api = new Proxy({}, { get: (_api, of) => part(String(of)) }) as ActRequest['api']
      const subject = act.on === 'invoice' ? invoice : debtor
      const request = { api, subject, values: {}, language: 'fr' as const, dryRun: false, options: {} }
      await expect((async () => act.perform(request))()).rejects.toThrow('that is enough')
      expect(called).toEqual([operationOf(act)])
    },
  )

  it.each(acts.map(act => [act.key, act] as const))(
    '%s calls an operation that has its fields',
    (key, act) => {
      const { fields } = act
      const operation = operations.get(operationOf(act))
      expect(operation).toBeDefined()
      const body = bodyOf(operation!)
      // What is chosen here stands in the path of the operation, or chooses the other fields.
      const chosen = ['payment', 'message', 'filing']
      for (const { name, of = name } of fields)
        if (!chosen.includes(name)) expect(hasField(body, of), of).toBe(true)
      if (key !== 'takeBack') expect(hasField(body, 'dryRun')).toBe(true)
    },
  )
})

it.each(acts.map(act => [act.key, act] as const))('%s limits its fields as the contract does', (_, act) => {
  for (const { name, of = name, kind } of act.fields) {
    const limit = limitOf(operationOf(act), of)
    if (kind === 'text') expect(limit.maxLength, of).toBeGreaterThan(0)
    if (kind === 'money') expect(limit.maxCents, of).toBeGreaterThan(0)
    if (kind === 'day') expect(limit.fromDay ?? limit.toDay, of).toBeDefined()
  }
})

it('counts the days of a field from today, and takes no first minute that has passed', () => {
  const today = '2026-11-16'
  expect(daysOf(limitOf('invoices.promise', 'date'), today)).toEqual({ min: today, max: '2027-01-15' })
  expect(daysOf(limitOf('debtors.pause', 'until'), today)).toEqual({ min: '2026-11-17', max: undefined })
  expect(daysOf(limitOf('payments.create', 'paidAt'), today)).toEqual({ min: undefined, max: today })
  expect(daysOf(limitOf('debtors.addNote', 'comeBackOn'), today)).toEqual({ min: today, max: undefined })
  expect(limitOf('debtors.get', 'name')).toEqual({})
})

it('has the opposite of what can be taken back, and of nothing else', () => {
  expect(keys(acts.filter(({ inverse }) => inverse))).toEqual(['pause', 'message', 'debtorPause'])
})

it('shows only stops before they are answered, and no end, send or sum', () => {
  expect(keys(acts.filter(({ isStop }) => isStop))).toEqual(['pause', 'debtorPause'])
  expect(keys(acts.filter(({ isFinal }) => isFinal))).toEqual(['cancel', 'writeOff'])
})

describe('what is offered', () => {
  const all: Subject = {
    ...invoice,
    acts: acts.map(({ verdict }) => ({
      act: verdict as InvoiceAct['act'],
      operation: '',
      allowed: true,
      because: null,
      heldBy: [],
    })),
  }
  const refused = (
    act: InvoiceAct['act'],
    because: InvoiceAct['because'],
    heldBy: InvoiceAct['heldBy'] = [],
  ) =>
    actsFor(
      { ...invoice, acts: [{ act, operation: '', allowed: false, because, heldBy }] },
      everything,
      'fr',
    ).map(({ act: { key }, obstacle }) => [key, obstacle])

  it('is nothing to who may change nothing, and only what one may', () => {
    expect(actsFor(all, () => false, 'fr')).toEqual([])
    const offered = actsFor(all, operation => operation === 'payments.create', 'fr')
    expect(offered.map(({ act }) => act.key)).toEqual(['payment'])
    expect(offered[0]!.obstacle).toBeUndefined()
  })

  it('is what the API judges, and nothing else', () => {
    expect(actsFor(invoice, everything, 'fr')).toEqual([])
    const ofInvoice = acts.filter(({ on }) => on === 'invoice')
    expect(actsFor(all, everything, 'fr').map(({ act }) => act)).toEqual(ofInvoice)
  })

  it('is shown with the cause where it is not possible', () => {
    expect(refused('dispute', 'disputed')).toEqual([['dispute', 'Une contestation est ouverte.']])
    expect(refused('resume', 'held', ['dispute'])).toEqual([
      ['resume', 'Retenue par\u00a0: contestation ouverte.'],
    ])
    expect(refused('escalate', 'formal_notice_missing')).toEqual([
      ['escalate', 'Le suivi amiable ne peut pas se terminer\u00a0: aucune mise en demeure n’a été envoyée.'],
    ])
    expect(refused('resume', 'wrong_status')).toEqual([['resume', 'État\u00a0: relance en cours.']])
  })

  it('closes a channel as long as one is open, and only those that are', () => {
    const closing = (...allowed: boolean[]): Subject => ({
      ...debtor,
      acts: (['email', 'sms'] as const).map((channel, i) => ({
        act: 'opt_out',
        operation: 'debtors.optOut',
        channel,
        allowed: allowed[i]!,
        because: allowed[i] ? null : 'channel_closed',
      })),
    })
    const [one] = actsFor(closing(false, true), everything, 'en')
    expect(one!.obstacle).toBeUndefined()
    expect(one!.act.fields[0]!.choices!('en', closing(false, true))).toEqual({ sms: 'SMS' })
    expect(actsFor(closing(false, false), everything, 'en')[0]!.obstacle).toBe(
      words.en.obstacles.channel_closed,
    )
  })
})

it('corrects only what was changed of an address, and clears what was emptied', async () => {
  const correct = acts.find(({ key }) => key === 'correctAddress')!
  const first = firstValues(correct, debtor, 'fr')
  expect(first).toEqual({
    email: 'a@atelier.example',
    phone: '',
    siret: '',
    address: '1 rue du Port',
    postalCode: '69002',
    city: 'Lyon',
  })
  const sent: unknown[] = []
  const update = async (_id: string, body: unknown) => {
    sent.push(body)
    return {}
  }
  const api = { debtors: { update } } as unknown as ActRequest['api']
  const request = { api, subject: debtor, language: 'fr' as const, dryRun: false, options: {} }
  await correct.perform({ ...request, values: { ...first, email: 'b@atelier.example', address: ' ' } })
  expect(sent).toEqual([{ email: 'b@atelier.example', address: null, dryRun: false }])
})

it('tries an address again for the channels that were refused', () => {
  const retry = acts.find(({ key }) => key === 'retryAddress')!
  const refused: Subject = {
    ...debtor,
    acts: [
      { act: 'opt_out', operation: 'debtors.optOut', channel: 'email', allowed: true, because: null },
      {
        act: 'retry_address',
        operation: 'debtors.retryAddress',
        channel: 'sms',
        allowed: true,
        because: null,
      },
    ],
  }
  expect(retry.fields[0]!.choices!('fr', refused)).toEqual({ sms: 'SMS' })
  expect(firstValues(retry, refused, 'fr')).toEqual({ channel: 'sms' })
})

it('is complete when what must be there is there, and a sum is a sum', () => {
  const payment = acts.find(({ key }) => key === 'payment')!
  expect(isComplete(payment, { method: 'card' }, 'fr')).toBe(false)
  expect(isComplete(payment, { method: 'card', amountCents: '12,3,4' }, 'fr')).toBe(false)
  expect(isComplete(payment, { method: 'card', amountCents: '1 200,00 €' }, 'fr')).toBe(true)
  expect(isComplete(payment, { method: '', amountCents: '1 200,00 €' }, 'fr')).toBe(false)
})

it('has the fields that go with what is chosen, and only they are needed', () => {
  const fieldsOf = (key: ActKey, values: Values) =>
    shownFields(acts.find(act => act.key === key)!, values).map(({ name }) => name)
  expect(fieldsOf('resolve', { outcome: 'upheld' })).toEqual(['outcome', 'note'])
  expect(fieldsOf('resolve', { outcome: 'rejected' })).toEqual(['outcome', 'answer', 'note'])
  expect(fieldsOf('resolve', { outcome: 'partly', notOwedCents: '10' })).toEqual([
    'outcome',
    'notOwedCents',
    'creditNumber',
    'answer',
    'note',
  ])
  const decide = acts.find(({ key }) => key === 'decideSituation')!
  expect(isComplete(decide, { decision: 'not_confirmed' }, 'fr')).toBe(true)
  expect(isComplete(decide, { decision: 'representative' }, 'fr')).toBe(false)
  const heir = { representativeName: 'Étude Roy', representativeEmail: 'roy@etude.example' }
  expect(isComplete(decide, { decision: 'representative', ...heir }, 'fr')).toBe(true)
  const file = acts.find(({ key }) => key === 'file')!
  expect(isComplete(file, { filing: 'filed', filedOn: '2026-11-10' }, 'fr')).toBe(false)
})

it('offers the decisions that the API names, and proceedings by an act of their own', () => {
  const reported = {
    situationId: 'three',
    situation: 'insolvency',
    reportedAt: '2026-11-16T08:00:00.000Z',
    decisions: ['insolvency', 'not_confirmed'],
  } as const
  expect(
    Object.keys(
      decisionsOf('fr', { ...debtor, reported: { ...reported, decisions: [...reported.decisions] } }),
    ),
  ).toEqual(['not_confirmed'])
  expect(decisionsOf('fr', debtor)).toEqual({})
})

it('reads a day and an hour by the clock on the debtor’s wall, also where the clocks change', () => {
  expect(instantOf('2026-11-16', 'Europe/Paris')).toBe('2026-11-15T23:00:00.000Z')
  expect(instantOf('2026-11-16T08:15', 'Indian/Reunion')).toBe('2026-11-16T04:15:00.000Z')
  expect(instantOf('2026-10-25T10:00', 'Europe/Paris')).toBe('2026-10-25T09:00:00.000Z')
  expect(instantOf('2026-03-29T10:00', 'Europe/Paris')).toBe('2026-03-29T08:00:00.000Z')
})
