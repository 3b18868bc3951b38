import {
  type LedgerRow,
  parseEntry,
  verifyChain,
} from '../../src/features/recovery/messages/settle/ledger.ts'
import { type LoggedContact, violationsIn } from '../simulation/checker.ts'
import type { ChaosInstallation } from './chaos-installation.ts'
import type { Findings } from './findings.ts'

const caps = { perWeek: 2, perMonth: 8 }

interface ContactRow {
  id: string
  debtor_id: string
  email: string
  phone: string | null
  channel: LoggedContact['channel']
  at: Date
  country: string
  postal_code: string
  type: string
}

const contacts = `
  select c.id, c.debtor_id, d.email_key as email, d.phone, c.channel, coalesce(c.sent_at, c.reserved_at) as at, d.country,
         d.postal_code, d.type
    from communications c join debtors d on d.tenant_id = c.tenant_id and d.id = c.debtor_id
   where c.tenant_id = $1 and c.state in ('sent', 'delivered', 'unknown')`

/** Checks every contact with an independent checker that knows the rules and none of our code. */
export async function judgeContacts(findings: Findings, installation: ChaosInstallation): Promise<void> {
  const rows = await installation.query<ContactRow>(contacts, [installation.company.tenants.production])
  const written = rows.map(
    (row): LoggedContact => ({
      debtorId: row.debtor_id,
      points: [row.debtor_id, row.email, ...(row.phone === null ? [] : [row.phone])],
      channel: row.channel,
      at: row.at.getTime(),
      country: row.country,
      postalCode: row.postal_code,
      isConsumer: row.type === 'consumer',
      caps,
    }),
  )
  const [clock] = await installation.query<{ offset: string }>(
    'select clock_offset_ms as offset from installation',
  )
  const received = installation.mailbox.messages().map(
    (mail): LoggedContact => ({
      debtorId: mail.to,
      points: [mail.to],
      channel: 'email',
      at: Date.parse(mail.receivedAt) + Number(clock!.offset),
      country: 'FR',
      postalCode: '69002',
      isConsumer: false,
      caps,
    }),
  )
  const violations = [...violationsIn(written), ...violationsIn(received)]
  findings.check(
    'the contact rules hold for all that was sent, by our rows and by the mails received',
    violations.length === 0 && written.length > 0,
    violations,
  )
  await judgeLedger(
    findings,
    installation,
    rows.map(row => row.id),
  )
}

interface ChainRow extends LedgerRow {
  debtor_id: string
}

async function judgeLedger(
  findings: Findings,
  installation: ChaosInstallation,
  contactIds: readonly string[],
): Promise<void> {
  const tenant = [installation.company.tenants.production]
  const entries = await installation.query<ChainRow>(
    'select debtor_id, position, entry, hash from contact_ledger where tenant_id = $1 order by debtor_id, position',
    tenant,
  )
  const agendas = await installation.query<{
    debtor_id: string
    chain_head: Buffer | null
    chain_length: number
  }>('select debtor_id, chain_head, chain_length from agendas where tenant_id = $1', tenant)
  const chains = Map.groupBy(entries, entry => entry.debtor_id)
  const broken = agendas.flatMap(agenda => {
    const verdict = verifyChain(chains.get(agenda.debtor_id) ?? [], agenda.chain_head, agenda.chain_length)
    return verdict.valid ? [] : [{ debtorId: agenda.debtor_id, ...verdict }]
  })
  findings.check('the chain of contacts of every debtor verifies', broken.length === 0, broken)
  const proven = entries
    .map(parseEntry)
    .filter(entry => entry.kind === 'contact')
    .map(entry => entry.communicationId)
  const once = new Set(proven)
  const unproven = contactIds.filter(id => !once.has(id))
  const isExact = unproven.length === 0 && proven.length === contactIds.length && once.size === proven.length
  findings.check('every contact is proven once in the ledger, and nothing else is', isExact, {
    contacts: contactIds.length,
    proven: proven.length,
    unproven: unproven.slice(0, 5),
  })
  const heads = new Map(entries.map(entry => [parseEntry(entry).communicationId, entry.hash.toString('hex')]))
  const events = await installation.query<{ id: string; head: string }>(
    `select data ->> 'communicationId' as id, data ->> 'ledgerHead' as head from events
      where tenant_id = $1 and type = 'debtor.contacted'`,
    tenant,
  )
  const wrongHeads = events.filter(event => heads.get(event.id) !== event.head)
  findings.check(
    'every contact has one event, with the head of its chain',
    wrongHeads.length === 0 &&
      new Set(events.map(event => event.id)).size === events.length &&
      events.length === proven.length,
    wrongHeads.length > 0 ? wrongHeads : { events: events.length, proven: proven.length },
  )
}
