import { z } from 'zod'
import { closedBecauses } from '../../../../domain/contact/channel.ts'
import {
  addressState,
  addressStates,
  givenRoles,
  type MainAddresses,
  type PersonChannel,
  personChannels,
  personRoles,
  type DebtorPerson as StoredPerson,
  shownPerson,
} from '../../../../domain/contact/debtor-person.ts'
import { iso } from '../../../../kit/clock.ts'
import {
  clearableText,
  dateTime,
  line,
  note,
  optional,
  optionalText,
  outputUuid,
} from '../../../../kit/fields.ts'
import { debtorFields } from '../input-schema.ts'
import { dryRun, ofDebtorDryRun } from '../rehearse-debtor.ts'
import type { ClosedPoint, PersonRow, UsedPoint } from './store.ts'

const name = line(200)
const role = z.enum(givenRoles).meta({
  description:
    'At a company or a public body: accounting, buyer, manager, other. At a consumer: guardian, heir, lawyer, with `ground`',
})
const ground = note(500)
const ofGround = {
  description: 'Of a guardian, an heir or a lawyer: why they may be told of the debt; required of them',
}
const language = z.enum(['fr', 'en']).meta({
  description: 'Null: that of the debtor. That of the main person for email becomes that of the debtor',
})
const mainFor = optional(z.array(z.enum(personChannels)).max(personChannels.length)).meta({
  description:
    'Become the main person here: their address takes the place of `email` or `phone` of the debtor. Who was it stays, with the old address. Other channels do not change',
})

export const PersonInput = z
  .strictObject({
    name,
    role,
    ground: optionalText(ground).meta(ofGround),
    email: optionalText(debtorFields.email),
    phone: optionalText(debtorFields.phone),
    language: optional(language),
    mainFor,
    dryRun,
  })
  .meta({ id: 'DebtorPersonInput' })

export const PersonUpdate = z
  .strictObject({
    name: name.optional(),
    role: role.optional(),
    ground: clearableText(ground).meta(ofGround),
    email: clearableText(debtorFields.email),
    phone: clearableText(debtorFields.phone),
    language: language.nullable().optional(),
    mainFor,
    dryRun,
  })
  .refine(({ dryRun: _, ...body }) => Object.keys(body).length > 0, 'has nothing to change')
  .meta({
    id: 'DebtorPersonUpdate',
    description: 'Only the fields sent change; null or an empty text clears an optional one',
  })

const KnownAddress = z
  .object({
    state: z.enum(addressStates).meta({
      description:
        'never_used: nothing was sent to it; reached: the last message was accepted or delivered; refused: it came back or was refused; unconfirmed: a call that nobody answered, or a message whose outcome is not known; closed: the person opted out, or it belongs to somebody else',
    }),
    since: dateTime.nullable().meta({
      description: 'The last message, the first refusal after which nothing arrived, or the closing',
    }),
    because: z
      .enum(closedBecauses)
      .exclude(['refused'])
      .nullable()
      .meta({ description: 'Why it is closed; null if it is not' }),
  })
  .meta({ id: 'KnownAddress', description: 'What is known of an address at this debtor' })

export const DebtorPerson = z
  .object({
    id: outputUuid,
    debtorId: outputUuid,
    name: z.string(),
    role: z.enum(personRoles).meta({
      description: '`debtor`: the debtor itself, at an address that was its main one and had no person',
    }),
    ground: z
      .string()
      .nullable()
      .meta({ description: 'Why this person may be told of the debt of a consumer' }),
    email: z.string().nullable(),
    emailState: KnownAddress.nullable().meta({ description: 'Null without an email' }),
    phone: z.string().nullable(),
    phoneState: KnownAddress.nullable().meta({ description: 'Null without a phone' }),
    language: z.enum(['fr', 'en']).nullable().meta({ description: 'Null: that of the debtor' }),
    mainFor: z
      .array(z.enum(personChannels))
      .meta({ description: 'Where this is the main person: messages go there, and to nobody else' }),
    createdAt: dateTime,
  })
  .meta({ id: 'DebtorPerson', description: 'Somebody who can be spoken to about what a debtor owes' })

export const ChangedPerson = DebtorPerson.extend(ofDebtorDryRun).meta({ id: 'ChangedDebtorPerson' })
export const AddedPerson = ChangedPerson.extend({
  id: outputUuid.nullable().meta({ description: 'Null in a dry run' }),
}).meta({ id: 'AddedDebtorPerson' })

export const DebtorPeople = z
  .object({
    debtorId: outputUuid,
    emailState: KnownAddress.meta({ description: 'Of the `email` of the debtor, where messages go' }),
    phoneState: KnownAddress.nullable().meta({
      description: 'Of the `phone` of the debtor, where messages and calls go; null without one',
    }),
    people: z.array(DebtorPerson).meta({ description: 'The oldest first' }),
  })
  .meta({ id: 'DebtorPeople' })

export const storedPerson = (row: Omit<PersonRow, 'created_at'>): StoredPerson => ({
  id: row.id,
  name: row.name,
  role: row.role,
  ground: row.ground,
  isMainEmail: row.is_main_email,
  email: row.email,
  isMainPhone: row.is_main_phone,
  phone: row.phone,
  language: row.language,
})

/** What was sent to the addresses of a debtor and its people, and where they are closed. */
export interface AddressFacts {
  readonly used: readonly UsedPoint[]
  readonly closed: readonly ClosedPoint[]
}

export function stateOf(
  kind: PersonChannel,
  address: string,
  { used, closed }: AddressFacts,
): z.input<typeof KnownAddress> {
  const isHere = (row: { kind: string | null; address: string | null }) =>
    row.kind === kind && row.address === address
  const { state, since, because } = addressState(
    kind,
    used.filter(isHere),
    closed.filter(row => row.kind === null || isHere(row)),
  )
  return { state, since: since === null ? null : iso(since), because }
}

export function toPerson(
  debtor: MainAddresses & { readonly id: string },
  row: PersonRow,
  facts: AddressFacts,
): z.input<typeof DebtorPerson> {
  const person = shownPerson({ debtor }, storedPerson(row))
  return {
    id: person.id,
    debtorId: debtor.id,
    name: person.name,
    role: person.role,
    ground: person.ground,
    email: person.email,
    emailState: person.email === null ? null : stateOf('email', person.email, facts),
    phone: person.phone,
    phoneState: person.phone === null ? null : stateOf('phone', person.phone, facts),
    language: person.language,
    mainFor: [...person.mainFor],
    createdAt: iso(row.created_at),
  }
}
