import {
  type faultOfPerson,
  type PersonChannel,
  peopleMax,
} from '../../../../domain/contact/debtor-person.ts'
import { defineError } from '../../../../kit/errors.ts'

export const personUnknown = defineError('RES_001', () => 'This debtor has no such person.')

export const tooManyPeople = defineError(
  'BIZ_004',
  () => `A debtor has at most ${peopleMax} people; remove somebody who left first.`,
  'too_many_people',
)

const faultTexts: Record<NonNullable<ReturnType<typeof faultOfPerson>>, readonly [string, string]> = {
  role_of_company: [
    'role',
    'is guardian, heir or lawyer at a consumer, with its ground; nobody else is recorded',
  ],
  role_of_consumer: [
    'role',
    'is accounting, buyer, manager or other here; the others are those of consumers',
  ],
  ground_missing: ['ground', 'is needed: why this person may be told of the debt of a consumer'],
  ground_without_role: ['ground', 'is only recorded of a guardian, an heir or a lawyer; leave it out'],
}

export const personMayNot = defineError('BIZ_004', (fault: keyof typeof faultTexts) => {
  const [field, message] = faultTexts[fault]
  return { message: `${field} ${message}.`, extras: { details: [{ field, code: fault, message }] } }
})

/** The type of a debtor is changed, and its people may not be recorded at the new one. */
export const peopleDoNotFit = defineError(
  'BIZ_004',
  (names: readonly string[], fault: keyof typeof faultTexts) => {
    const message = `cannot be changed while these people are recorded: ${names.join(', ')}`
    return {
      message: `type ${message}. Change their roles or remove them first.`,
      extras: { details: [{ field: 'type', code: fault, message }] },
    }
  },
)

export const mainNeedsAddress = defineError('BIZ_004', (channel: PersonChannel) => {
  const message = `has no ${channel}, and the main person of a channel is reached there`
  return {
    message: `This person ${message}; send it with \`mainFor\`.`,
    extras: { details: [{ field: channel, code: 'missing', message }] },
  }
})

export const mainEmailStays = defineError(
  'BIZ_004',
  () => {
    const message = 'is the main address of the debtor, which is not cleared'
    return {
      message: `email ${message}: write another one, or make somebody else the main person first.`,
      extras: { details: [{ field: 'email', code: 'main', message }] },
    }
  },
  'main',
  'email',
)

export const isMainPerson = defineError(
  'BIZ_004',
  (channels: readonly PersonChannel[]) =>
    `This is the main person for ${channels.join(' and ')}: make somebody else the main person first, with \`mainFor\`.`,
  'main',
)
