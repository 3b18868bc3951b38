import { sql } from '../../../../kit/db/statement.ts'
import type { Tx } from '../../../../kit/db/transaction.ts'
import { containsPattern, searchKey, trigrams } from '../../../../kit/search-text.ts'

/** Search terms that identify some persons in texts. */
export interface SearchTerms {
  /** In lower case. */
  texts: string[]
  /** Words of their names that few other debtors have, for texts that people write. */
  words: string[]
  /** The last digits of telephone numbers, which are written in many ways. */
  digits: string[]
  /** Their ids and those of their invoices. */
  ids: string[]
}

const readIdentities = sql(
  'erase.read-identities',
  `select name, email, phone, address, split_part(search_text, E'\n', 3) as siret from debtors where id = any ($1::uuid[])`,
)
/** Those who can be spoken to about what they owe. */
const readPeople = sql(
  'erase.read-people',
  'select name, email, phone from debtor_people where debtor_id = any ($1::uuid[])',
)
const readNumbers = sql(
  'erase.read-numbers',
  'select id, number from invoices where debtor_id = any ($1::uuid[])',
)

const findSharers = sql('erase.find-sharers', 'select search_debtors($1::integer[], $2, $3) as id')
/** A word that more debtors share is not a name, but for example a legal form or a trade. */
const sharersMax = 5

/** Shorter terms are often parts of other words and numbers; such texts are found by other terms. */
const lengthMin = { name: 4, address: 8, number: 6 }

/** In lower case, plain and as JSON escapes it. */
function spellings(text: string): string[] {
  const small = text.normalize('NFC').toLowerCase()
  return [...new Set([small, text.toLowerCase(), JSON.stringify(small).slice(1, -1)])]
}

async function wordsOf(tx: Tx, tenantId: string, names: readonly string[]): Promise<string[]> {
  const words = new Set(names.flatMap(name => name.toLowerCase().split(/[^\p{L}\p{N}]+/u)))
  const rare: string[] = []
  for (const word of words) {
    if (word.length < lengthMin.name) continue
    const key = searchKey(word)
    const sharers = await tx.rows(findSharers, [
      trigrams(tenantId, key),
      containsPattern(key),
      sharersMax + names.length,
    ])
    if (sharers.length < sharersMax + names.length) rare.push(word)
  }
  return rare
}

export async function readSearchTerms(
  tx: Tx,
  tenantId: string,
  debtorIds: readonly string[],
): Promise<SearchTerms> {
  const [debtors, others, invoices] = await Promise.all([
    tx.rows(readIdentities, [debtorIds]),
    tx.rows(readPeople, [debtorIds]),
    tx.rows(readNumbers, [debtorIds]),
  ])
  const people = [...debtors, ...others]
  const long = (text: string | null | undefined, min: number) =>
    text && text.length >= min ? spellings(text) : []
  const texts = [
    ...people.flatMap(({ name, email }) => [
      ...long(name === 'Erased' ? null : name, lengthMin.name),
      ...(email ? spellings(email) : []),
    ]),
    ...debtors.flatMap(({ address, siret }) => [
      ...long(address, lengthMin.address),
      ...(siret ? [siret] : []),
    ]),
    ...invoices.flatMap(({ number }) => long(number, lengthMin.number)),
  ]
  const names = people.flatMap(({ name }) => (name === 'Erased' ? [] : [name]))
  return {
    words: await wordsOf(tx, tenantId, names),
    texts: [...new Set(texts)],
    digits: people.flatMap(({ phone }) => (phone ? [phone.replace(/\D/g, '').slice(-9)] : [])),
    ids: [...debtorIds, ...invoices.map(({ id }) => id)],
  }
}
