import { z } from 'zod'
import type { Tx } from '../../../../kit/db/transaction.ts'
import { uuid } from '../../../../kit/fields.ts'
import { operation } from '../../../../kit/operation.ts'
import { debtorUnknown } from '../../../recovery/case/errors.ts'
import { DebtorPeople, stateOf, toPerson } from './schema.ts'
import { readPeople } from './store.ts'

export const listPeople = operation({
  id: 'debtors.people',
  method: 'GET',
  path: '/api/v1/debtors/:id/people',
  summary: 'List the people who can be spoken to at a debtor, and what is known of their addresses',
  description:
    'Messages go to the main address of a channel only, `email` and `phone` of the debtor: more people never get more messages.',
  scopes: ['debtors:read'],
  params: z.strictObject({ id: uuid }),
  status: 200,
  reply: DebtorPeople,
  errors: [debtorUnknown],
  assistant: 'read',
  run: ({ tx, params }) => peopleOf(tx, params.id),
})

export async function peopleOf(tx: Tx, debtorId: string): Promise<z.input<typeof DebtorPeople>> {
  const found = await readPeople(tx, debtorId)
  if (!found) throw debtorUnknown.make()
  const { debtor, people, facts } = found
  return {
    debtorId,
    emailState: stateOf('email', debtor.email, facts),
    phoneState: debtor.phone === null ? null : stateOf('phone', debtor.phone, facts),
    people: people.map(row => toPerson(debtor, row, facts)),
  }
}
