import {
  type DebtorPerson,
  faultOfPerson,
  type People,
  type PersonChannel,
  withoutMain,
} from '../../../../domain/contact/debtor-person.ts'
import { WithWarnings } from '../../../../kit/operation.ts'
import { lockAgenda } from '../../../recovery/case/agenda-store.ts'
import { selectDebtorFile } from '../../../recovery/case/debtor-file-store.ts'
import { debtorErased, debtorUnknown } from '../../../recovery/case/errors.ts'
import type { OperationContext } from '../../../recovery/case/open-recovery.ts'
import { refreshAgendas } from '../../../recovery/holds/hold-debtor.ts'
import { changeDebtor } from '../update-debtor.ts'
import { mainNeedsAddress, personMayNot } from './errors.ts'
import { goToNextPerson } from './next-person.ts'
import { storedPerson, toPerson } from './schema.ts'
import { type DebtorOfPeople, lockDebtor, readPeople, selectPeople } from './store.ts'
import { recordPeopleChange, writePeople } from './write-people.ts'

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
  recordPeopleChange(call, { ...opened, id: debtor.id }, after)
  const [[agenda], [file]] = await Promise.all([
    call.tx.rows(lockAgenda, [call.actor.tenantId, debtor.id]),
    call.tx.rows(selectDebtorFile, [debtor.id]),
  ])
  if (await goToNextPerson(call, file!, agenda ?? null)) refreshAgendas(call, [debtor.id])
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
