import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type Command, commands } from './commands.ts'
import { isSingle, keyOf } from './keys.ts'

const table: readonly Command[] = commands

/** What a French keyboard sends for the keys of the table: what it writes, where, and with which other key. */
const azerty: Record<string, { code: string; shiftKey?: boolean }> = {
  ...Object.fromEntries(
    [...'abcdefghijklnoprstuvxy'].map(letter => [letter, { code: `Key${letter.toUpperCase()}` }]),
  ),
  // Where an American keyboard has other letters.
  a: { code: 'KeyQ' },
  q: { code: 'KeyA' },
  z: { code: 'KeyW' },
  w: { code: 'KeyZ' },
  m: { code: 'Semicolon' },
  '/': { code: 'Period', shiftKey: true },
  '?': { code: 'KeyM', shiftKey: true },
  ...Object.fromEntries([...'12345'].map(digit => [digit, { code: `Digit${digit}` }])),
  enter: { code: 'Enter' },
}
const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false }

it('every command has an id of its own, and words in both languages', () => {
  expect(new Set(table.map(({ id }) => id)).size).toBe(table.length)
  for (const { id, fr, en } of table) {
    expect(fr.trim(), id).not.toBe('')
    expect(en.trim(), id).not.toBe('')
    expect(fr, id).not.toBe(en)
  }
  for (const language of ['fr', 'en'] as const)
    expect(new Set(table.map(command => command[language])).size).toBe(table.length)
})

/** A screen is about one debtor or one invoice: a key may mean the same deed for both. */
it.each(['debtor', 'invoice'])('no key means two things where the screen is about a %s', subject => {
  const other = subject === 'debtor' ? 'invoice' : 'debtor'
  const all = table.filter(({ group }) => group !== other).flatMap(({ keys = [] }) => keys)
  expect(new Set(all).size).toBe(all.length)
  const firsts = all.filter(keys => keys.includes(' ')).map(keys => keys.split(' ')[0])
  expect(all.filter(keys => firsts.includes(keys))).toEqual([])
})

it('every key can be typed on a French keyboard', () => {
  for (const keys of table.flatMap(({ keys = [] }) => keys))
    for (const key of keys.split(' ')) {
      const letter = key.replace('mod+', '')
      const typed = azerty[letter]
      expect(typed, key).toBeDefined()
      const isControl = !isSingle(key)
      const written = letter === 'enter' ? 'Enter' : letter
      expect(keyOf({ ...none, key: written, ...typed!, ctrlKey: isControl })).toBe(key)
      if (isControl) expect(keyOf({ ...none, key: written, ...typed!, metaKey: true })).toBe(key)
    }
})

it.each([
  ['&', 'Digit1', {}, '1'],
  ['é', 'Digit2', {}, '2'],
  ['1', 'Digit1', {}, '1'],
  ['P', 'KeyP', { shiftKey: true }, null],
  // Caps lock.
  ['P', 'KeyP', {}, 'p'],
  ['@', 'Digit0', { altKey: true, ctrlKey: true }, null],
  ['p', 'KeyP', { altKey: true }, null],
  ['k', 'KeyK', { ctrlKey: true, shiftKey: true }, null],
  ['Enter', 'Enter', {}, null],
])('%s at %s with %j is the key %s', (key, code, others, name) => {
  expect(keyOf({ ...none, key, code, ...others })).toBe(name)
})

it('what a command needs is an operation of the API that changes something', () => {
  const contract: { paths: Record<string, Record<string, { operationId?: string }>> } = JSON.parse(
    readFileSync(new URL('../../../server/openapi.json', import.meta.url), 'utf8'),
  )
  const changes = Object.values(contract.paths).flatMap(({ get: _, ...others }) =>
    Object.values(others).map(({ operationId }) => operationId),
  )
  for (const { needs } of table) if (needs !== undefined) expect(changes).toContain(needs)
})
