import { z } from 'zod'
import { changePerson as changed, makeMain, shownPerson } from '../../../../domain/contact/debtor-person.ts'
import { uuid } from '../../../../kit/fields.ts'
import { operation } from '../../../../kit/operation.ts'
import { debtorErased, debtorUnknown } from '../../../recovery/case/errors.ts'
import { debtorChanged, debtorPersonChanged } from '../audit-events.ts'
import { storedPhone } from '../input-schema.ts'
import { withPlannedMessages } from '../rehearse-debtor.ts'
import { mainEmailStays, mainNeedsAddress, personMayNot, personUnknown } from './errors.ts'
import { openPeople, requireAddresses, requireRole, savePeople } from './save-people.ts'
import { ChangedPerson, PersonUpdate } from './schema.ts'

export const changePerson = operation({
  id: 'debtors.changePerson',
  method: 'PUT',
  path: '/api/v1/debtors/:id/people/:personId',
  summary: 'Change somebody at a debtor, or make them the main person of a channel',
  description:
    'What a main person is reached at is `email` or `phone` of the debtor: messages not yet sent go to the new address, and links sent to the old one stop working. The limits count for the debtor, so a new address gets no message earlier.',
  scopes: ['debtors:write'],
  params: z.strictObject({ id: uuid, personId: uuid }),
  body: PersonUpdate,
  status: 200,
  reply: ChangedPerson,
  errors: [debtorUnknown, debtorErased, personUnknown, personMayNot, mainEmailStays, mainNeedsAddress],
  assistant: 'confirm',
  audit: [debtorPersonChanged, debtorChanged],
  example: { body: { email: 'comptabilite@fleurs.example', mainFor: ['email'] } },
  rehearse: withPlannedMessages,
  async run(call) {
    const { params, body, newId } = call
    const opened = await openPeople(call, params.id)
    const { debtor } = opened
    const current = opened.people.find(({ id }) => id === params.personId)
    if (!current) throw personUnknown.make()
    if (current.isMainEmail && body.email === null) throw mainEmailStays.make()
    const { name, role, ground, email, phone, language } = body
    const next = changed(opened, current.id, {
      ...(name !== undefined && { name }),
      ...(role !== undefined && { role }),
      ...(ground !== undefined && { ground }),
      ...(email !== undefined && { email }),
      ...(phone !== undefined && { phone: phone === null ? null : storedPhone(phone, debtor.country) }),
      ...(language !== undefined && { language }),
    })
    const person = next.people.find(({ id }) => id === current.id)!
    if (role !== undefined || ground !== undefined) requireRole(debtor, person)
    const channels = body.mainFor ?? []
    requireAddresses(shownPerson(next, person), channels)
    const unnamed = { id: newId(), name: debtor.name }
    const after = channels.reduce((people, channel) => makeMain(people, person.id, channel, unnamed), next)
    return savePeople(call, opened, after, person.id)
  },
})
