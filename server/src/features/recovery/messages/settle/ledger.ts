import type { Channel } from '../../../../domain/contact/channel.ts'
import type { Evidence } from '../../../../domain/contact/contact-rules.ts'
import { hmacSha256, plainSha256 } from '../../../../kit/crypto.ts'
import { sql } from '../../../../kit/db/statement.ts'
import type { Tx } from '../../../../kit/db/transaction.ts'
import type { AgendaLock } from '../../case/agenda-store.ts'
import type { DebtorFile } from '../../case/debtor-file-store.ts'
import type { SaltRow } from './salt-store.ts'

/** The proof of one contact: ids, counts and salted digests, never personal data. */
interface Proof {
  kind: 'contact' | 'outcome'
  communicationId: string
  channel: string
  step: string
  at: string
  fate: string
  verdict: Evidence | null
  invoices: number
  /** Digest of the address it was sent to; it cannot be checked any more once the salt is deleted. */
  recipient: string | null
  /** Digest of what was sent, of the same kind; entries of version 1 have none. */
  message: string | null
}

interface LedgerEntry extends Proof {
  v: 2
  position: number
  previous: string | null
}

export interface EntryRow {
  debtor_id: string
  position: number
  entry: string
  head: string
}
const insertEntries = sql(
  'messages.append-to-ledger',
  `insert into contact_ledger (tenant_id, debtor_id, position, entry, hash)
   select $1, debtor_id, position, entry, decode(head, 'hex')
     from jsonb_to_recordset($2::jsonb) as x(debtor_id uuid, position integer, entry text, head text)`,
)
/** Writes entries, one of each debtor. The heads of the chains are written with the agendas. */
export function saveEntries(tx: Tx, tenantId: string, rows: readonly EntryRow[]): void {
  if (rows.length > 0) tx.atCommit(insertEntries, [tenantId, JSON.stringify(rows)])
}
const updateHead = sql(
  'messages.move-chain-head',
  'update agendas set chain_head = $3, chain_length = $4 where tenant_id = $1 and debtor_id = $2',
)

const insertSalts = sql(
  'messages.insert-ledger-salts',
  `insert into contact_salts (tenant_id, debtor_id, salt)
   select $1, debtor_id, decode(salt, 'hex') from jsonb_to_recordset($2::jsonb) as x(debtor_id uuid, salt text) on conflict do nothing`,
)
export function saveSalts(tx: Tx, tenantId: string, rows: readonly SaltRow[]): void {
  if (rows.length > 0) tx.atCommit(insertSalts, [tenantId, JSON.stringify(rows)])
}

/** The salt for a debtor's digests; created at the first contact. */
export function findOrCreateSalt(
  tx: Tx,
  ids: { tenantId: string; debtorId: string },
  stored: { salt: Buffer } | undefined,
  random: () => Buffer,
): Buffer {
  if (stored) return stored.salt
  const salt = random()
  saveSalts(tx, ids.tenantId, [{ debtor_id: ids.debtorId, salt: salt.toString('hex') }])
  return salt
}

/** The address of a contact, as its proof digests it. */
export const recipientOf = (file: DebtorFile, channel: Channel): string =>
  channel === 'email'
    ? file.email
    : channel === 'lrar'
      ? `${file.name}\n${file.address}\n${file.postal_code} ${file.city}`
      : (file.phone ?? '')

export const digestOf = (salt: Buffer, address: string): string => hmacSha256(salt, address).toString('hex')

/** The next entry of the debtor's chain, and the head of the chain with it. The caller holds the debtor's lock. */
export function nextEntry(agenda: Pick<AgendaLock, 'chain_head' | 'chain_length'>, proof: Proof) {
  const position = agenda.chain_length + 1
  const previous = agenda.chain_head?.toString('hex') ?? null
  const entry = JSON.stringify({ v: 2, position, previous, ...proof } satisfies LedgerEntry)
  return { position, entry, head: plainSha256(entry).toString('hex') }
}

/** Appends to the debtor's chain and returns its new head. */
export function appendToLedger(
  tx: Tx,
  ids: { tenantId: string; debtorId: string },
  agenda: Pick<AgendaLock, 'chain_head' | 'chain_length'>,
  proof: Proof,
): string {
  const { tenantId, debtorId } = ids
  const next = nextEntry(agenda, proof)
  saveEntries(tx, tenantId, [{ debtor_id: debtorId, ...next }])
  tx.atCommit(updateHead, [tenantId, debtorId, Buffer.from(next.head, 'hex'), next.position])
  return next.head
}

export interface LedgerRow {
  position: number
  entry: string
  hash: Buffer
}

/** Whether a chain is intact: every entry matches its stored hash and names the previous one, and the last one is the head. */
export function verifyChain(
  rows: readonly LedgerRow[],
  head: Buffer | null,
  length: number,
): { valid: true } | { valid: false; position: number; because: string } {
  let previous: string | null = null
  for (const [i, row] of rows.entries()) {
    const position = i + 1
    const broken = (because: string) => ({ valid: false, position, because }) as const
    if (!plainSha256(row.entry).equals(row.hash)) return broken('the entry was changed')
    const entry = JSON.parse(row.entry) as LedgerEntry
    if (row.position !== position || entry.position !== position) return broken('an entry is missing')
    if (entry.previous !== previous) return broken('the entry does not follow the one before it')
    previous = row.hash.toString('hex')
  }
  if (rows.length !== length || previous !== (head?.toString('hex') ?? null))
    return { valid: false, position: rows.length, because: 'the chain does not end where it should' }
  return { valid: true }
}

export const parseEntry = (row: LedgerRow): LedgerEntry => JSON.parse(row.entry) as LedgerEntry
