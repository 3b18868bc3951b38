import { type Channel, channelsOf } from '../../../../domain/contact/channel.ts'
import {
  type Candidate,
  makeMain,
  nextPerson,
  type People,
  type PersonChannel,
  personChannels,
} from '../../../../domain/contact/debtor-person.ts'
import { iso } from '../../../../kit/clock.ts'
import { sql } from '../../../../kit/db/statement.ts'
import type { AgendaLock } from '../../../recovery/case/agenda-store.ts'
import type { DebtorFile } from '../../../recovery/case/debtor-file-store.ts'
import type { DebtorContext } from '../../../recovery/case/open-recovery.ts'
import { addHistoryToRunning, releaseAllRecoveries } from '../../../recovery/holds/hold-debtor.ts'
import { disownCodes } from '../../../recovery/messages/compose/message-code.ts'
import { readSalts } from '../../../recovery/messages/settle/salt-store.ts'
import { derivedColumns } from '../debtor-row.ts'
import { findDebtor } from '../read-debtors.ts'
import { recordDebtorChange } from '../record-debtor-change.ts'
import { type AddressFacts, storedPerson } from './schema.ts'
import { type PersonRow, readPeople } from './store.ts'
import { recordPeopleChange, writePeople } from './write-people.ts'

const updateAddresses = sql(
  'debtors.update-addresses',
  `update debtors set email = $2, email_key = $3, phone = $4, language = $5, search_text = $6, search_grams = $7, updated_at = $8
    where id = $1`,
)

/**
 * Makes the next person the main one of each channel whose address refused a message: what needs it goes to them, within the limits of the
 * debtor. False if there is nobody. The caller holds the lock of the agenda, and refreshes it afterwards.
 */
export async function goToNextPerson(
  context: DebtorContext,
  { id, type, closed }: Pick<DebtorFile, 'id' | 'type' | 'closed'>,
  agenda: AgendaLock | null,
): Promise<boolean> {
  const { tx, now, newId, actor } = context
  const isRefused = (channel: Channel) =>
    closed.some(one => one.channel === channel && one.because === 'refused')
  const refused = personChannels.flatMap(kind => {
    const channel = channelsOf[kind].find(isRefused)
    return channel ? [{ kind, channel }] : []
  })
  if (type === 'consumer' || refused.length === 0) return false
  const [read, current, [salt]] = await Promise.all([
    readPeople(tx, id),
    findDebtor(tx, id),
    tx.rows(readSalts, [[id]]),
  ])
  if (!read || !current || current.is_erased) return false
  const { debtor, people, facts } = read
  const before: People = { debtor, people: people.map(storedPerson) }
  const unnamed = { id: newId(), name: debtor.name }
  let after = before
  const moved: PersonChannel[] = []
  for (const { kind, channel } of refused) {
    const candidates = people.map(person => candidateOf(person, kind, channel, facts))
    const next = nextPerson(type, channel, candidates)
    if (!next) continue
    const moving = after
    after = makeMain(moving, next.id, kind, unnamed)
    await writePeople(context, id, moving.people, after.people)
    moved.push(kind)
    await addHistoryToRunning(context, id, {
      action: 'next_person',
      channel,
      code: 'next_person',
      params: { channel },
    })
  }
  if (moved.length === 0) return false
  const { email, phone, language } = after.debtor
  const changed = { ...current, email, phone, language }
  const { email_key, search_text, search_grams } = derivedColumns(actor.tenantId, changed)
  await tx.rows(updateAddresses, [id, email, email_key, phone, language, search_text, search_grams, iso(now)])
  recordDebtorChange(context, current, changed, salt)
  recordPeopleChange(context, { ...before, id }, after)
  disownCodes(
    tx,
    actor.tenantId,
    [id],
    moved.flatMap(kind => channelsOf[kind]),
  )
  await releaseAllRecoveries(context, id, agenda, 'address_refused')
  return true
}

function candidateOf(row: PersonRow, kind: PersonChannel, channel: Channel, facts: AddressFacts): Candidate {
  const address = row[kind]
  const isHere = (one: { kind: PersonChannel | null; address: string | null }) =>
    one.kind === kind && one.address === address
  return {
    person: storedPerson(row),
    createdAt: row.created_at,
    address,
    wasUsed: facts.used.some(isHere),
    isClosed: facts.closed.some(one => one.channel === channel && (one.kind === null || isHere(one))),
  }
}
