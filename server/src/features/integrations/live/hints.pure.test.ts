import { describe, expect, it } from 'vitest'
import { roles, scopesOfRole } from '../../access/roles.ts'
import { scopes } from '../../access/scopes.ts'
import { auditEvents } from '../../all.ts'
import { events } from '../webhooks/event-catalogue.ts'
import { eventText, everything, hintsOf } from './hints.ts'
import type { Happening } from './store.ts'

const happening = (given: Partial<Happening>): Happening => ({
  id: '',
  type: null,
  subject: null,
  invoice_id: null,
  debtor_id: null,
  payment_id: null,
  communication_id: null,
  task_id: null,
  ...given,
})
const byKind = (...given: Partial<Happening>[]) =>
  Object.fromEntries(hintsOf(given.map(happening), 'c').map(({ kind, ids }) => [kind, ids]))

describe('hints', () => {
  it('name each id once, by its kind', () => {
    expect(
      byKind(
        { type: 'payment.received', invoice_id: 'i1', debtor_id: 'd1', payment_id: 'p1' },
        { invoice_id: 'i1', debtor_id: 'd1' },
        { invoice_id: 'i2', debtor_id: 'd1', communication_id: 'm1' },
        { type: 'task.finished', task_id: 't1' },
      ),
    ).toEqual({
      invoice: ['i1', 'i2'],
      debtor: ['d1'],
      payment: ['p1'],
      communication: ['m1'],
      task: ['t1'],
    })
  })

  it('name what an audit event is about, and of the company nothing but its own id', () => {
    expect(
      byKind(
        { type: 'debtor.changed', subject: 'd1' },
        { type: 'invoice.deleted', subject: 'i1' },
        { type: 'cascade.changed', subject: 'mine' },
        { type: 'api_key.created', subject: 'k1' },
        { type: 'company.sending_stopped' },
      ),
    ).toEqual({ debtor: ['d1'], invoice: ['i1'], company: ['c'] })
  })

  it('do not tell who signs in', () => {
    expect(byKind({ type: 'person.signed_in', subject: 'p1' })).toEqual({})
  })

  it('say all when the sandbox was moved or emptied, and beyond a hundred ids', () => {
    for (const type of ['sandbox.advanced', 'sandbox.reset'])
      expect(hintsOf([happening({ type }), happening({ invoice_id: 'i1' })], 'c')).toEqual([everything])
    const invoices = (count: number) =>
      Array.from({ length: count }, (_, i) => happening({ invoice_id: `i${i}` }))
    expect(hintsOf(invoices(100), 'c')[0]!.ids).toHaveLength(100)
    expect(hintsOf(invoices(101), 'c')).toEqual([everything])
  })

  it('have a meaning for every event and audit event that is declared', () => {
    const silent = [...events, ...auditEvents].flatMap(({ type }) => {
      const ids = { subject: 'x', invoice_id: type.includes('invoice') ? 'i' : null }
      return hintsOf([happening({ type, ...ids })], 'c').length === 0 ? [type] : []
    })
    // These name an invoice, a debtor or a task in their data; of a person's own account nobody is told.
    const byData =
      /^(anr|cascade|debt|decision|dispute|insolvency|judicial|limitation|lrar|message|promise|reply|situation|workflow|person)\./
    expect(silent.filter(type => !byData.test(type))).toEqual([])
  })

  it('are two lines each, and nothing more, for a reader of events', () => {
    expect(eventText([{ kind: 'invoice', ids: ['i1'] }, everything])).toBe(
      'event: hint\ndata: {"kind":"invoice","ids":["i1"]}\n\nevent: hint\ndata: {"kind":"all","ids":[]}\n\n',
    )
  })

  it('name nothing that one of the roles may not read', () => {
    for (const role of roles)
      for (const scope of ['invoices:read', 'debtors:read', 'payments:read', 'workflow:read'] as const)
        expect(scopesOfRole(role, scopes), role).toContain(scope)
  })
})
