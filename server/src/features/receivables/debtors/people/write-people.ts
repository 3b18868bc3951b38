import { type DebtorPerson, type People, shownPerson } from '../../../../domain/contact/debtor-person.ts'
import { iso } from '../../../../kit/clock.ts'
import { newEvent } from '../../../../kit/events.ts'
import { recordAudit } from '../../../platform/events/record-events.ts'
import type { DebtorContext } from '../../../recovery/case/open-recovery.ts'
import { debtorPersonChanged, personFields } from '../audit-events.ts'
import { emailKey } from '../schema.ts'
import { insertPerson, updatePerson } from './store.ts'

interface PeopleOf extends People {
  /** The debtor. */
  readonly id: string
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

/** Writes who changed, first those who do not become a main person: there is only one of a channel. */
export async function writePeople(
  { tx, now }: DebtorContext,
  debtorId: string,
  before: readonly DebtorPerson[],
  after: readonly DebtorPerson[],
): Promise<void> {
  const changed = after
    .map(person => ({ person, old: before.find(({ id }) => id === person.id) }))
    .filter(({ person, old }) => !old || JSON.stringify(toRow(old)) !== JSON.stringify(toRow(person)))
    .toSorted((left, right) => Number(becomesMain(left)) - Number(becomesMain(right)))
  for (const { person, old } of changed) {
    const row = JSON.stringify(toRow(person))
    await (old ? tx.rows(updatePerson, [row, iso(now)]) : tx.rows(insertPerson, [debtorId, row, iso(now)]))
  }
}

const becomesMain = ({ person, old }: { person: DebtorPerson; old: DebtorPerson | undefined }) =>
  (person.isMainEmail && !old?.isMainEmail) || (person.isMainPhone && !old?.isMainPhone)

/** Records who was added or changed. */
export function recordPeopleChange(context: DebtorContext, before: PeopleOf, after: People): void {
  const { id: debtorId } = before
  recordAudit(
    context.tx,
    after.people.flatMap(person => {
      const old = before.people.find(one => one.id === person.id)
      const [seen, shown] = [old && shownPerson(before, old), shownPerson(after, person)]
      const changed = personFields.filter(field => String(seen?.[field] ?? '') !== String(shown[field] ?? ''))
      if (changed.length === 0) return []
      const act = old ? 'changed' : 'added'
      return [newEvent(debtorPersonChanged, debtorId, { debtorId, personId: person.id, act, changed })]
    }),
    context,
  )
}
