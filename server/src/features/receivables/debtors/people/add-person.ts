import { z } from 'zod'
import {
  type DebtorPerson,
  makeMain,
  type People,
  peopleMax,
} from '../../../../domain/contact/debtor-person.ts'
import { uuid } from '../../../../kit/fields.ts'
import { operation } from '../../../../kit/operation.ts'
import { debtorErased, debtorUnknown } from '../../../recovery/case/errors.ts'
import { debtorChanged, debtorPersonChanged } from '../audit-events.ts'
import { storedPhone } from '../input-schema.ts'
import { withPlannedMessages } from '../rehearse-debtor.ts'
import { mainNeedsAddress, personMayNot, tooManyPeople } from './errors.ts'
import { openPeople, requireAddresses, requireRole, savePeople } from './save-people.ts'
import { AddedPerson, PersonInput } from './schema.ts'

export const addPerson = operation({
  id: 'debtors.addPerson',
  method: 'POST',
  path: '/api/v1/debtors/:id/people',
  summary: 'Add somebody who can be spoken to at a debtor',
  description:
    'Only the main address of a channel is written to, and the limits count for the debtor. With `mainFor` messages not yet sent go to the new person. If the main address of a company or a public body refused a message, they do without it too.',
  scopes: ['debtors:write'],
  params: z.strictObject({ id: uuid }),
  body: PersonInput,
  status: 201,
  reply: AddedPerson,
  errors: [debtorUnknown, debtorErased, tooManyPeople, personMayNot, mainNeedsAddress],
  assistant: 'confirm',
  audit: [debtorPersonChanged, debtorChanged],
  example: {
    body: {
      name: 'Paul Bonnet',
      role: 'manager',
      email: 'p.bonnet@fleurs.example',
      phone: '+33 6 12 34 56 78',
    },
  },
  rehearse: withPlannedMessages,
  async run(call) {
    const { params, body, newId } = call
    const opened = await openPeople(call, params.id)
    if (opened.people.length >= peopleMax) throw tooManyPeople.make()
    const person: DebtorPerson = {
      id: newId(),
      name: body.name,
      role: body.role,
      ground: body.ground ?? null,
      isMainEmail: false,
      email: body.email ?? null,
      isMainPhone: false,
      phone: body.phone === undefined ? null : storedPhone(body.phone, opened.debtor.country),
      language: body.language ?? null,
    }
    requireRole(opened.debtor, person)
    const channels = body.mainFor ?? []
    requireAddresses(person, channels)
    const unnamed = { id: newId(), name: opened.debtor.name }
    const added: People = { ...opened, people: [...opened.people, person] }
    const after = channels.reduce((people, channel) => makeMain(people, person.id, channel, unnamed), added)
    return savePeople(call, opened, after, person.id)
  },
})
