import { expect, it } from 'vitest'
import {
  eraseFunctions,
  lookedThrough,
  personalData,
  type TableRule,
} from '../../src/features/integrations/tasks/erase/personal-data.ts'
import { useClone } from './clone.ts'

const clone = useClone()

const columnsOf = ({ plain, erase = {}, keep = {} }: TableRule) => [
  ...plain.split(' '),
  ...Object.keys(erase),
  ...Object.keys(keep),
]

it('of every column of every table it is said what becomes of personal data', async () => {
  const columns = await clone.query<{ table: string; columns: string[] }>(
    `select c.relname as table, array_agg(a.attname::text order by a.attname::text collate "C") as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped
      group by 1`,
  )
  // What is missing here is added to personal-data.ts or untouched-tables.ts: erased, kept because, or no data of a person.
  expect(
    Object.fromEntries(Object.entries(personalData).map(([table, rule]) => [table, columnsOf(rule).sort()])),
  ).toEqual(Object.fromEntries(columns.map(({ table, columns: names }) => [table, names])))
})

it('the database erases what is said: its functions are those written from the table', async () => {
  const functions = await clone.query<{ name: string; body: string }>(
    'select proname as name, prosrc as body from pg_proc where proname = any ($1) order by 1',
    [eraseFunctions().map(({ name }) => name)],
  )
  // After a change of personal-data.ts, a migration replaces the function by this text.
  expect(functions).toEqual(eraseFunctions().toSorted((a, b) => (a.name < b.name ? -1 : 1)))
})

it('a text that may name anybody is looked through by the function that does so', async () => {
  const [looking] = await clone.query<{ body: string }>(
    `select prosrc as body from pg_proc where proname = 'erase_mentions'`,
  )
  for (const [table, { erase = {} }] of Object.entries(personalData))
    if (Object.values(erase).includes(lookedThrough))
      // Messages and confirmations go with their conversation, the parts of a file with the file.
      expect(looking!.body).toMatch(
        new RegExp(
          `(update|delete from|from|exists \\(select from) ${table.replace('_file_parts', '_files')}\\b`,
        ),
      )
})
