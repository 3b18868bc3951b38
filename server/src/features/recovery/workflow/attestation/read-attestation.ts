import { calendarFor } from '../../../../domain/contact/calendar.ts'
import type { Channel } from '../../../../domain/contact/channel.ts'
import { isCauseOnRecord } from '../../../../domain/money/write-off.ts'
import { balanceOf } from '../../../../domain/recovery/account.ts'
import { hasValidCheckDigit } from '../../../../domain/siret.ts'
import { localTime } from '../../../../domain/time.ts'
import type { Tables } from '../../../../kit/db/schema.generated.ts'
import { sql } from '../../../../kit/db/statement.ts'
import type { Tx } from '../../../../kit/db/transaction.ts'
import { findCompany } from '../../../access/companies/company.ts'
import type { HistoryStatus } from '../../case/history.ts'
import { factsOf } from '../../case/invoice-facts.ts'
import type { OpenRecovery, OperationContext } from '../../case/open-recovery.ts'
import { type AnrBasis, type Attestation, type AttestedStep, attestedSteps } from './attestation.ts'

const listedMax = 100

// Messages that were not sent in the end are left out; of very many, the latest are listed.
const readActions = sql(
  'attestation.list-actions',
  `with listed as (
     select id, action, channel, status, executed_at, communication_id, params ->> 'groupedWith' as grouped_with, count(*) over () as total,
            count(*) filter (where status in ('sent', 'delivered', 'refused', 'unclaimed')) over () as contacts
       from actions
      where invoice_id = $1 and action = any ($2::text[]) and communication_id is not null and status <> all ('{skipped,cancelled}')
      order by executed_at desc, id desc limit ${listedMax})
   select action, channel, status, executed_at, communication_id, grouped_with, total, contacts from listed order by executed_at, id`,
).as<
  Pick<Tables['actions'], 'executed_at'> & {
    action: AttestedStep
    channel: Channel
    status: HistoryStatus
    communication_id: string
    grouped_with: string | null
    total: number
    /** Those that a provider accepted. */
    contacts: number
  }
>()

// A message has one ledger entry of kind `contact`, however many receipts followed.
const readProofs = sql(
  'attestation.list-proofs',
  `select l.position, l.hash, l.entry::jsonb ->> 'communicationId' as communication_id
     from contact_ledger l
    where l.debtor_id = $1 and l.entry::jsonb ->> 'kind' = 'contact'
      and (l.entry::jsonb ->> 'communicationId')::uuid in (select communication_id from actions where invoice_id = $2)`,
).as<{ position: number; hash: Buffer; communication_id: string }>()
const readSiret = sql('attestation.get-siret', 'select siret from debtors where id = $1')

async function readListedActions(
  tx: Tx,
  { row }: OpenRecovery,
): Promise<Pick<Attestation, 'actions' | 'unlisted'> & { contacts: number }> {
  const [actions, proofs] = await Promise.all([
    tx.rows(readActions, [row.invoice_id, attestedSteps]),
    tx.rows(readProofs, [row.debtor_id, row.invoice_id]),
  ])
  const proofOf = new Map(
    proofs.map(({ communication_id, position, hash }) => [
      communication_id,
      { position, hash: hash.toString('hex') },
    ]),
  )
  return {
    actions: actions.map(({ action, channel, status, executed_at, communication_id, grouped_with }) => ({
      at: executed_at,
      action,
      channel,
      status,
      groupedWith: grouped_with,
      proof: proofOf.get(communication_id) ?? null,
    })),
    unlisted: (actions[0]?.total ?? 0) - actions.length,
    contacts: actions[0]?.contacts ?? 0,
  }
}

/** Reads the content of the attestation, under the locks of the recovery. */
export async function readAttestation(
  { tx, actor, now, newId }: OperationContext,
  recovery: OpenRecovery,
  basis: AnrBasis,
  note: string | null,
): Promise<Attestation> {
  const { agenda, file, row } = recovery
  const [company, [debtor], { contacts, ...listed }] = await Promise.all([
    findCompany(tx, actor.companyId),
    tx.rows(readSiret, [row.debtor_id]),
    readListedActions(tx, recovery),
  ])
  const siret = debtor?.siret ?? null
  const zone =
    calendarFor({ country: file.country, postalCode: file.postal_code })?.zones[0] ?? company.time_zone
  const isBasisOnRecord = isCauseOnRecord(basis, {
    contacts,
    insolvencyKind: file.insolvency_kind,
    lastDayInCourt: row.limitation_ends_on,
    today: localTime(zone, now).date,
  })
  return {
    id: newId(),
    madeAt: now,
    language: company.language,
    zone: company.time_zone,
    isSandbox: file.environment === 'sandbox',
    creditor: file.creditor,
    collector: file.creditor.collector,
    debtor: {
      name: file.name,
      address: file.address,
      postalCode: file.postal_code,
      city: file.city,
      country: file.country,
      siret: siret !== null && hasValidCheckDigit(siret) ? siret : null,
    },
    invoice: {
      number: row.number,
      issueDate: row.issue_date,
      dueDate: row.due_date,
      currency: row.currency,
      amountCents: row.amount_cents,
      paidCents: row.paid_cents,
      creditedCents: row.credited_cents,
      writtenOffCents: balanceOf(factsOf(row)).balance,
    },
    basis,
    isBasisOnRecord,
    note,
    liquidationOpenedOn: file.insolvency_kind === 'liquidation' ? file.insolvency_opened_on : null,
    ...listed,
    chain: { length: agenda?.chain_length ?? 0, head: agenda?.chain_head?.toString('hex') ?? null },
  }
}
