import type { Channel } from '../../../../domain/contact/channel.ts'
import { DAY } from '../../../../domain/time.ts'
import type { Actor } from '../../../../kit/actor.ts'
import { iso } from '../../../../kit/clock.ts'
import { type Keyring, sha256 } from '../../../../kit/crypto.ts'
import type { Pool } from '../../../../kit/db/pool.ts'
import { queryOn } from '../../../../kit/db/query.ts'
import { sql } from '../../../../kit/db/statement.ts'
import type { Entry, Tx } from '../../../../kit/db/transaction.ts'
import type { CodeRow } from './code-store.ts'

/** How long the link of a message works. */
export const codeDays = 180

/**
 * The code of a message: its cell and 108 bits of a MAC with our key, so it can be neither guessed nor forged. It identifies
 * the message at its provider and opens the debtor's page. A message has the same code however often it is composed. Twenty
 * characters fit everywhere, also into a text message and the tags of providers.
 */
export const codeOf = (
  { cell, keyring }: { cell: string; keyring: Pick<Keyring, 'mac'> },
  communicationId: string,
): string => cell + keyring.mac('message_code', communicationId).split('.')[1]!.slice(0, 18)

// Without 0 and O, 1, I and L. The reason for the length is in docs/decisions/debtor-page.md.
const letterAlphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const letterCodeChars = 12

/**
 * The code that a person without a camera types from a letter instead of its link. It is a hash of the message code, so a
 * letter that is composed again has the same one, and the message code cannot be computed from it.
 */
function letterCodeOf(code: string): string {
  let rest = BigInt(`0x${sha256('letter code', code).toString('hex')}`)
  let typed = ''
  for (let i = 0; i < letterCodeChars; i++) {
    typed += letterAlphabet[Number(rest % 31n)]
    rest /= 31n
  }
  return typed
}

/** With the spaces and dashes between its letters. */
const typedMax = 200

/** As people type it: in any case, with spaces, dashes or neither. Null if it cannot be one. */
export function typedLetterCode(text: string): string | null {
  if (text.length > typedMax) return null
  const typed = text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}._]/gu, '')
  return typed.length === letterCodeChars && [...typed].every(one => letterAlphabet.includes(one))
    ? typed
    : null
}

/** A link as people type it: at `relance.example/d`, where browsers add the `https://`, the code `K7QF-2MXA-9TRE`. */
export function typedOf(link: string): { address: string; letterCode: string } {
  const at = link.lastIndexOf('/')
  return {
    address: link.slice(0, at).replace(/^https?:\/\//, ''),
    letterCode: letterCodeOf(link.slice(at + 1)).replaceAll(/(.{4})(?=.)/g, '$1-'),
  }
}

/** The page where the debtor answers the message. */
export const linkOf = (publicUrl: string, code: string): string => `${publicUrl}/d/${code}`

/**
 * The text without the codes of its links and of the addresses for replies: a reader on the creditor's side must not answer as the
 * debtor. Mail filters write a link as the parameter of another one.
 */
export const withoutCodes = (text: string): string =>
  text.replaceAll(/(?<=(?:\/|%2[Ff])d(?:\/|%2[Ff])|(?:reply|bounce)\+)[a-z0-9]{2}[\w-]{18}/g, '…')

export const isCode = (text: string): boolean => /^[a-z0-9]{2}[\w-]{18}$/.test(text)

const insertCode = sql(
  'messages.insert-code',
  `insert into message_codes (code, tenant_id, communication_id, debtor_id, expires_at, letter_code) values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
)

export const saveCode = (
  tx: Tx,
  code: string,
  {
    tenantId,
    communicationId,
    debtorId,
    channel,
  }: { tenantId: string; communicationId: string; debtorId: string; channel: Channel },
  wall: number,
): void =>
  tx.atCommit(insertCode, [
    code,
    tenantId,
    communicationId,
    debtorId,
    iso(wall + codeDays * DAY),
    channel === 'lrar' ? letterCodeOf(code) : null,
  ])

// If two letters share a code, which is very unlikely, it opens neither.
const selectByLetterCode = sql(
  'messages.get-by-letter-code',
  'select min(code) as code from message_codes where letter_code = $1 and expires_at > $2 having count(*) = 1',
).as<{ code: string }>()

/** The message code for a letter code; null if no letter has it, or it has expired. */
export const codeByLetterCode = async (
  pool: Pool,
  letterCode: string,
  wall: number,
): Promise<string | null> =>
  (await queryOn(pool)(selectByLetterCode, [letterCode, iso(wall)]))[0]?.code ?? null

const markDisowned = sql(
  'messages.disown-codes',
  `update message_codes m set disowned = true
     from communications c
    where m.tenant_id = $1 and m.debtor_id = any ($2::uuid[]) and c.id = m.communication_id and c.channel = any ($3::text[])`,
)

/** These messages reached the wrong person: their links stop working, and stay so after the address is corrected. */
export const disownCodes = (
  tx: Tx,
  tenantId: string,
  debtorIds: readonly string[],
  channels: readonly Channel[],
): void => tx.atCommit(markDisowned, [tenantId, debtorIds, channels])

/** This many wrong answers close a link. */
export const wrongAnswersMax = 5

export const isClosedByAnswers = ({ wrong_answers }: Pick<CodeRow, 'wrong_answers'>): boolean =>
  wrong_answers >= wrongAnswersMax

// One statement, so that answers that arrive together are counted one after the other.
const recordAnswer = sql(
  'messages.count-wrong-answer',
  `update message_codes set wrong_answers = wrong_answers + case when $2 then 0 else 1 end
    where code = $1 and wrong_answers < ${wrongAnswersMax} returning wrong_answers`,
).as<{ wrong_answers: number }>()

/** How many more wrong answers the link accepts; null: it is closed, and no answer opens it. */
export async function countAnswer(tx: Tx, code: string, isRight: boolean): Promise<number | null> {
  const [row] = await tx.rows(recordAnswer, [code, isRight])
  return row ? wrongAnswersMax - row.wrong_answers : null
}

const enterByCode = sql('messages.enter-by-code', 'select enter_by_code($1, $2) as offset_ms').as<{
  offset_ms: number
}>()

/** Enters the tenant of the message with a valid code; with any other code the transaction fails with AUTH_002. */
export const byCode = (code: string, wall: number): Entry => ({
  statement: enterByCode,
  values: [code, iso(wall)],
})

const enterByAnyCode = sql('messages.enter-by-old-code', 'select enter_by_old_code($1) as offset_ms').as<{
  offset_ms: number
}>()

/** The same with any code, also an expired one: for payment events, which may arrive long after the page was closed. */
export const byAnyCode = (code: string): Entry => ({ statement: enterByAnyCode, values: [code] })

/** The actor behind a code: a person with the link is treated as the debtor. */
export const debtorActorOf = ({ debtor_id, tenant_id, company_id, environment }: CodeRow): Actor => ({
  kind: 'debtor',
  id: debtor_id,
  tenantId: tenant_id,
  companyId: company_id,
  environment,
  scopes: [],
})
