import { faultOfPerson } from '../../../../domain/contact/debtor-person.ts'
import type { DebtorType } from '../../../../domain/debtor-type.ts'
import type { Tx } from '../../../../kit/db/transaction.ts'
import { peopleDoNotFit } from './errors.ts'
import { selectPeople } from './store.ts'

/** Whoever is recorded at a debtor must be somebody who may be recorded at one of its type. */
export async function refuseMisfits(tx: Tx, debtorId: string, type: DebtorType): Promise<void> {
  const misfits = (await tx.rows(selectPeople, [debtorId])).flatMap(person => {
    const fault = faultOfPerson(type, person)
    return fault === null ? [] : [{ name: person.name, fault }]
  })
  if (misfits.length > 0)
    throw peopleDoNotFit.make(
      misfits.map(({ name }) => name),
      misfits[0]!.fault,
    )
}
