import { type LedgerRow, readEntry, verifyChain } from '../../src/features/recovery/messages/ledger.ts'
import { type LoggedContact, violationsIn } from '../simulation/checker.ts'
import type { Findings } from './findings.ts'
import type { Stage } from './stage.ts'

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

/** Everything that reached somebody, read by a checker that knows the rules by heart and our code not at all. */
export async function judgeContacts(findings: Findings, stage: Stage): Promise<void> {
  const rows = await stage.ask<ContactRow>(contacts, [stage.company.tenants.production])
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
  const [clock] = await stage.ask<{ offset: string }>('select clock_offset_ms as offset from installation')
  const received = stage.mailbox.messages().map(
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
    'the contact rules hold for all that was sent, as we and as the mail server tell it',
    violations.length === 0 && written.length > 0,
    violations,
  )
  await judgeLedger(
    findings,
    stage,
    rows.map(row => row.id),
  )
}

interface ChainRow extends LedgerRow {
  debtor_id: string
}

async function judgeLedger(findings: Findings, stage: Stage, contactIds: readonly string[]): Promise<void> {
  const entries = await stage.ask<ChainRow>(
    'select debtor_id, position, entry, hash from contact_ledger order by debtor_id, position',
  )
  const agendas = await stage.ask<{ debtor_id: string; chain_head: Buffer | null; chain_length: number }>(
    'select debtor_id, chain_head, chain_length from agendas',
  )
  const chains = Map.groupBy(entries, entry => entry.debtor_id)
  const broken = agendas.flatMap(agenda => {
    const verdict = verifyChain(chains.get(agenda.debtor_id) ?? [], agenda.chain_head, agenda.chain_length)
    return verdict.valid ? [] : [{ debtorId: agenda.debtor_id, ...verdict }]
  })
  findings.check('the chain of contacts of every debtor verifies', broken.length === 0, broken)
  const proven = entries
    .map(readEntry)
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
  const heads = new Map(entries.map(entry => [readEntry(entry).communicationId, entry.hash.toString('hex')]))
  const told = await stage.ask<{ id: string; head: string }>(
    `select data ->> 'communicationId' as id, data ->> 'ledgerHead' as head from events where type = 'debtor.contacted'`,
  )
  const untrue = told.filter(event => heads.get(event.id) !== event.head)
  findings.check(
    'every contact was told once, with the head of its chain',
    untrue.length === 0 &&
      new Set(told.map(event => event.id)).size === told.length &&
      told.length === proven.length,
    untrue.length > 0 ? untrue : { told: told.length, proven: proven.length },
  )
}
