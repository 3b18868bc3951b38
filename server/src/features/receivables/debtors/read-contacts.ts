import { z } from 'zod'
import { callOutcomes } from '../../../domain/contact/call-outcome.ts'
import { channels } from '../../../domain/contact/channel.ts'
import type { Evidence } from '../../../domain/contact/contact-rules.ts'
import { receiptOutcomes } from '../../../domain/contact/receipt.ts'
import { messageNames } from '../../../domain/recovery/cascade.ts'
import { sql } from '../../../kit/db/statement.ts'
import { dateTime, outputUuid, pageQuery, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { debtorUnknown } from '../../recovery/case/errors.ts'
import { closedChannels, readClosedChannels } from '../../recovery/holds/closed-channels.ts'
import { type LedgerRow, verifyChain } from '../../recovery/messages/settle/ledger.ts'

const hex = z.string().meta({ description: 'SHA-256, hexadecimal' })

/** The stored form of an entry; an entry that does not match it counts as unreadable. */
const entryShape = z.object({
  position: z.int(),
  kind: z.enum(['contact', 'outcome']),
  communicationId: outputUuid,
  channel: z.enum(channels),
  step: z.string(),
  at: dateTime,
  fate: z.string(),
  verdict: z.record(z.string(), z.unknown()).nullable(),
  previous: hex.nullable(),
})

/** The outcomes of a contact: the first answer of its provider, or a later report. */
export const contactFates: readonly string[] = ['accepted', 'unknown', ...receiptOutcomes]

const when = (description: string) => z.int().meta({ description: `${description}, in UNIX milliseconds` })

const ContactVerdict = z
  .object({
    rules: z.int().meta({ description: 'The version of the contact rules' }),
    at: when('The moment that was judged'),
    zone: z.string().nullable().meta({ description: 'The time zone of the debtor' }),
    localDate: z.string().nullable().meta({ format: 'date', description: 'The day there' }),
    localMinute: z.int().nullable().meta({ description: 'The minute of the day there' }),
    calendar: z.string().nullable().meta({ description: 'Whose public holidays were looked at' }),
    lastByChannel: z
      .partialRecord(z.enum(channels), when('The last contact on the channel'))
      .meta({ description: 'The last contact on each channel, in UNIX milliseconds' }),
    inSevenDays: z.int().meta({
      description: 'Contacts that counted for the weekly limit at that moment, in seven rolling days',
    }),
    inThirtyDays: z.int().meta({
      description: 'Contacts that counted for the monthly limit at that moment, in thirty rolling days',
    }),
    caps: z
      .object({
        perWeek: z.int().meta({ description: 'The most contacts in seven rolling days' }),
        perMonth: z.int().meta({ description: 'The most contacts in thirty rolling days' }),
      })
      .nullable()
      .meta({ description: 'What the company allowed; null where only the law was asked' }),
    channel: z.enum(channels).meta({ description: 'The channel that was judged' }),
  })
  .meta({ id: 'ContactVerdict', description: 'What the contact rules saw when they allowed a contact' })

const ContactEntry = entryShape
  .extend({
    kind: entryShape.shape.kind.meta({
      description: 'A contact that was made, or what was heard of it later',
    }),
    step: z.enum(messageNames),
    fate: z.enum(contactFates),
    verdict: ContactVerdict.nullable().meta({
      description: 'What the contact rules saw when they allowed it; null for an outcome',
    }),
    previous: hex.nullable().meta({ description: 'Hash of the entry before it; null for the first' }),
    hash: hex,
    entry: z.string().meta({ description: 'Exactly the text that was hashed, for whoever checks it' }),
    call: z
      .object({ outcome: z.enum(callOutcomes), note: z.string() })
      .nullable()
      .meta({
        description: 'What came of a call, and a short note; not part of the proof. Null for anything else',
      }),
  })
  .meta({ id: 'ContactEntry' })

const Contacts = z
  .object({
    debtorId: outputUuid,
    closedChannels,
    chain: z.object({
      valid: z.boolean().meta({ description: 'Whether every entry is there, unchanged and in its place' }),
      length: z.int().meta({ description: 'How many entries there are, on all pages' }),
      head: hex.nullable(),
      brokenAt: z.int().nullable().meta({ description: 'The position of the first entry that is not' }),
      because: z.string().nullable(),
    }),
    contacts: z
      .array(ContactEntry)
      .meta({ description: 'The page asked for, the oldest first; an entry nobody can read is missing' }),
  })
  .meta({ id: 'Contacts' })

// At least one row if the debtor exists. A chain proves something only as a whole, so all of it is read: about a hundred
// entries per debtor and year.
const selectContactLedger = sql(
  'debtors.list-contacts',
  `select a.chain_head, a.chain_length, l.position, l.entry, l.hash
     from debtors d
     left join agendas a on a.tenant_id = d.tenant_id and a.debtor_id = d.id
     left join contact_ledger l on l.tenant_id = d.tenant_id and l.debtor_id = d.id
    where d.id = $1 order by l.position`,
).as<
  { chain_head: Buffer | null; chain_length: number | null } & (
    | LedgerRow
    | { position: null; entry: null; hash: null }
  )
>()

type CallRow = { communication_id: string; outcome: (typeof callOutcomes)[number]; note: string }
const selectCalls = sql(
  'debtors.list-calls',
  `select k.communication_id, k.outcome, k.note
     from communications c join calls k on k.tenant_id = c.tenant_id and k.communication_id = c.id
    where c.debtor_id = $1 and c.channel = 'voice'`,
).as<CallRow>()

export const readContacts = operation({
  id: 'debtors.contacts',
  method: 'GET',
  path: '/api/v1/debtors/:id/contacts',
  summary: 'Read every contact made with a debtor, with the proof that none was changed or removed',
  description:
    'Each entry carries the hash of the one before it. The whole chain is checked at every reading; `page` and `limit` choose which entries are shown.',
  scopes: ['workflow:read'],
  params: z.strictObject({ id: uuid }),
  query: pageQuery,
  status: 200,
  reply: Contacts,
  errors: [debtorUnknown],
  assistant: 'read',
  async run({ tx, params, query }) {
    const [found, closed, calls] = await Promise.all([
      tx.rows(selectContactLedger, [params.id]),
      readClosedChannels(tx, params.id),
      tx.rows(selectCalls, [params.id]),
    ])
    const [first] = found
    if (!first) throw debtorUnknown.make()
    const rows = found.filter(row => row.position !== null)
    const verdict = verifyLedger(rows, first.chain_head, first.chain_length ?? 0)
    const from = (query.page - 1) * query.limit
    return {
      debtorId: params.id,
      closedChannels: closed,
      chain: {
        valid: verdict.valid,
        length: first.chain_length ?? 0,
        head: first.chain_head?.toString('hex') ?? null,
        brokenAt: verdict.valid ? null : verdict.position,
        because: verdict.valid ? null : verdict.because,
      },
      contacts: rows.slice(from, from + query.limit).flatMap(row => toEntry(row, calls)),
    }
  },
})

type Verdict = ReturnType<typeof verifyChain>

function verifyLedger(rows: readonly LedgerRow[], head: Buffer | null, length: number): Verdict {
  const unreadable = rows.find(row => parseEntry(row) === null)
  return unreadable
    ? { valid: false, position: unreadable.position, because: 'the entry was changed' }
    : verifyChain(rows, head, length)
}

function parseEntry({ entry }: LedgerRow): z.output<typeof entryShape> | null {
  try {
    return entryShape.safeParse(JSON.parse(entry)).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function toEntry(row: LedgerRow, calls: readonly CallRow[]): z.input<typeof ContactEntry>[] {
  const entry = parseEntry(row)
  if (!entry) return []
  const call =
    entry.kind === 'contact' && calls.find(({ communication_id: id }) => id === entry.communicationId)
  return [
    {
      ...entry,
      verdict: entry.verdict as Evidence | null,
      hash: row.hash.toString('hex'),
      entry: row.entry,
      call: call ? { outcome: call.outcome, note: call.note } : null,
    },
  ]
}
