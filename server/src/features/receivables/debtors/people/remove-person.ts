import { z } from 'zod'
import { shownPerson } from '../../../../domain/contact/debtor-person.ts'
import { newEvent } from '../../../../kit/events.ts'
import { uuid } from '../../../../kit/fields.ts'
import { operation } from '../../../../kit/operation.ts'
import { recordAudit } from '../../../platform/events/record-events.ts'
import { debtorErased, debtorUnknown } from '../../../recovery/case/errors.ts'
import { debtorPersonChanged } from '../audit-events.ts'
import { isMainPerson, personUnknown } from './errors.ts'
import { openPeople } from './save-people.ts'
import { deletePerson } from './store.ts'

export const removePerson = operation({
  id: 'debtors.removePerson',
  method: 'DELETE',
  path: '/api/v1/debtors/:id/people/:personId',
  summary: 'Remove somebody from the people of a debtor',
  description:
    'A main person is replaced first. What was sent stays in the history, and a closed address stays closed.',
  scopes: ['debtors:write'],
  params: z.strictObject({ id: uuid, personId: uuid }),
  status: 204,
  reply: z.null(),
  errors: [debtorUnknown, debtorErased, personUnknown, isMainPerson],
  assistant: 'confirm',
  audit: [debtorPersonChanged],
  async run(call) {
    const { tx, params } = call
    const opened = await openPeople(call, params.id)
    const person = opened.people.find(({ id }) => id === params.personId)
    if (!person) throw personUnknown.make()
    const { mainFor } = shownPerson(opened, person)
    if (mainFor.length > 0) throw isMainPerson.make(mainFor)
    await tx.rows(deletePerson, [person.id])
    const data = { debtorId: params.id, personId: person.id, act: 'removed' as const, changed: [] }
    recordAudit(tx, [newEvent(debtorPersonChanged, params.id, data)], call)
    return null
  },
})
