import {
  type DebtorPerson,
  faultOfPerson,
  type People,
  type PersonChannel,
  shownPerson,
  withoutMain,
} from '../../../../domain/contact/debtor-person.ts'
import { iso } from '../../../../kit/clock.ts'
import { newEvent } from '../../../../kit/events.ts'
import { WithWarnings } from '../../../../kit/operation.ts'
import { recordAudit } from '../../../platform/events/record-events.ts'
import { lockAgenda } from '../../../recovery/case/agenda-store.ts'
import { debtorErased, debtorUnknown } from '../../../recovery/case/errors.ts'
import type { OperationContext } from '../../../recovery/case/open-recovery.ts'
import { debtorPersonChanged, personFields } from '../audit-events.ts'
import { emailKey } from '../schema.ts'
import { changeDebtor } from '../update-debtor.ts'
import { mainNeedsAddress, personMayNot } from './errors.ts'
import { storedPerson, toPerson } from './schema.ts'
import {
  type DebtorOfPeople,
  insertPerson,
  lockDebtor,
  readPeople,
  selectPeople,
  updatePerson,
} from './store.ts'

export interface OpenedPeople extends People {
  readonly debtor: DebtorOfPeople
}

/** The people of a debtor, under the lock of everything that changes what it is sent. */
export async function openPeople({ tx, actor }: OperationContext, debtorId: string): Promise<OpenedPeople> {
  const [, [debtor], people] = await Promise.all([
    tx.rows(lockAgenda, [actor.tenantId, debtorId]),
    tx.rows(lockDebtor, [debtorId]),
    tx.rows(selectPeople, [debtorId]),
  ])
  if (!debtor) throw debtorUnknown.make()
  if (debtor.is_erased) throw debtorErased.make()
  return { debtor, people: people.map(storedPerson) }
}

export function requireRole({ type }: DebtorOfPeople, person: DebtorPerson): void {
  const fault = faultOfPerson(type, person)
  if (fault) throw personMayNot.make(fault)
}

export function requireAddresses(person: DebtorPerson, channels: readonly PersonChannel[]): void {
  const missing = channels.find(channel => person[channel] === null)
  if (missing) throw mainNeedsAddress.make(missing)
}

const toRow = (person: DebtorPerson) => ({
  id: person.id,
  name: person.name,
  role: person.role,
  ground: person.ground,
  is_main_email: person.isMainEmail,
  email: person.email,
  email_key: person.email === null ? null : emailKey(person.email),
  is_main_phone: person.isMainPhone,
  phone: person.phone,
  language: person.language,
})

/** Writes who changed, first those who stop to be a main person: there is only one. */
async function writePeople(
  { tx, now }: OperationContext,
  debtorId: string,
  before: readonly DebtorPerson[],
  after: readonly DebtorPerson[],
): Promise<void> {
  const known = new Map(before.map(person => [person.id, JSON.stringify(toRow(person))]))
  const changed = after
    .map(person => ({ person, row: JSON.stringify(toRow(person)) }))
    .filter(({ person, row }) => known.get(person.id) !== row)
    .toSorted((left, right) => mainOf(left.person) - mainOf(right.person))
  for (const { person, row } of changed)
    await (known.has(person.id)
      ? tx.rows(updatePerson, [row, iso(now)])
      : tx.rows(insertPerson, [debtorId, row, iso(now)]))
}
const mainOf = ({ isMainEmail, isMainPhone }: DebtorPerson) => Number(isMainEmail) + Number(isMainPhone)

/** Saves what became of the people and of the addresses of the debtor, and answers with one of them. */
export async function savePeople(call: OperationContext, opened: OpenedPeople, after: People, id: string) {
  const { debtor, people } = opened
  await writePeople(call, debtor.id, people, after.people)
  const moved = {
    ...(after.debtor.email !== debtor.email && { email: after.debtor.email }),
    ...(after.debtor.phone !== debtor.phone && { phone: after.debtor.phone }),
    ...(after.debtor.language !== debtor.language && { language: after.debtor.language }),
  }
  const answer = Object.keys(moved).length > 0 ? await changeDebtor(call, debtor.id, moved) : null
  recordAudit(
    call.tx,
    after.people.flatMap(person => {
      const old = people.find(one => one.id === person.id)
      const [seen, shown] = [old && shownPerson(opened, old), shownPerson(after, person)]
      const changed = personFields.filter(field => String(seen?.[field] ?? '') !== String(shown[field] ?? ''))
      if (changed.length === 0) return []
      const data = {
        debtorId: debtor.id,
        personId: person.id,
        act: old ? 'changed' : 'added',
        changed,
      } as const
      return [newEvent(debtorPersonChanged, debtor.id, data)]
    }),
    call,
  )
  const saved = (await readPeople(call.tx, debtor.id))!
  const row = saved.people.find(one => one.id === id)!
  const shown = toPerson(saved.debtor, row, saved.facts)
  return answer instanceof WithWarnings ? new WithWarnings(shown, answer.warnings) : shown
}

/** The addresses of the debtor become those of somebody else: everybody keeps their own, and nobody is the main person. */
export async function forgetMain(context: OperationContext, debtorId: string): Promise<void> {
  const opened = await openPeople(context, debtorId)
  await writePeople(context, debtorId, opened.people, withoutMain(opened))
}
