import { resolve, type Schema } from './fuzz-document.ts'
import type { Random } from './random.ts'

export type Json = Record<string, unknown>
export const pick = <T>(random: Random, items: readonly T[]): T => items[random.between(0, items.length - 1)]!
export const chance = (random: Random, percent: number): boolean => random.between(1, 100) <= percent

/** Encoded for a query string. */
export const escaped = (value: unknown) => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return encodeURIComponent(text.toWellFormed())
}

const words = [
  'Durand',
  'été',
  'Ångström',
  '株式会社',
  '🧾🧾',
  "O'Neil",
  '50 %',
  'a_b',
  '\\',
  '"quoted"',
  'ﬁ',
  'Σ',
  'İ',
]

const bidi = '\u202eabc\u2066'
/** Values that have broken other programs. */
export const hostile: readonly unknown[] = [
  null,
  '',
  ' ',
  0,
  -0,
  -1,
  1.5,
  1e21,
  1e308,
  5e-324,
  2 ** 53,
  Number.MAX_SAFE_INTEGER,
  1_000_000_000_000,
  1_000_000_000_001,
  true,
  [],
  {},
  [[]],
  [null],
  { $ne: null },
  'null',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udc00y',
  bidi,
  '\u200f',
  '\u0085',
  '\ufeff',
  'e\u0301',
  '\u{1F469}\u200d\u{1F4BB}',
  'x'.repeat(101),
  'é'.repeat(500),
  '🧾'.repeat(501),
  'x'.repeat(20_000),
  '%',
  '%%',
  '_',
  "'; drop table invoices; --",
  '../../etc/passwd',
  '2026-02-30',
  '0000-00-00',
  '2100-12-31',
  '9999-12-31',
  'infinity',
  'now',
  '2026-11-16T09:00:00Z',
  '2026-11-16T24:00:00+99:99',
  '1e3',
  '0x10',
  '-1',
  '99999999999999999999',
  'EUR',
  'XXX',
  'constructor',
  'toString',
  'a@b.c',
  'a@[127.0.0.1]',
  '+33',
  '00000000-0000-0000-0000-000000000000',
]

const digits = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.between(0, 9)).join('')

const day = (random: Random, from: number, to: number) =>
  `${random.between(from, to)}-${String(random.between(1, 12)).padStart(2, '0')}-${String(random.between(1, 28)).padStart(2, '0')}`

type IdOf = (field: string) => string

const formats: Record<string, (random: Random, name: string, idOf: IdOf) => string> = {
  uuid: (_random, name, idOf) => idOf(name),
  // Nothing in the document says that one date comes after the other: mostly it does, sometimes it does not.
  date: (random, name) => (/due|to/i.test(name) ? day(random, 2026, 2027) : day(random, 2024, 2026)),
  // What a webhook missed is had for thirty days of the wall.
  'date-time': (random, name) => {
    const last = name === 'since' ? Date.now() : Date.parse('2026-11-16T07:00:00Z')
    return new Date(last - random.between(0, 1e10)).toISOString()
  },
  uri: (_random, _name, idOf) => idOf('url'),
  email: random => `f${random.between(1, 400)}@fuzz.example`,
}

function textFor(random: Random, schema: Schema, name: string, idOf: IdOf): string {
  const made = formats[schema.format ?? '']?.(random, name, idOf)
  if (made !== undefined) return made
  const counted = /^\^(\\d|\[A-Z\])\{(\d+)(?:,(\d+))?\}\$$/.exec(schema.pattern ?? '')
  if (counted) {
    const count = random.between(Number(counted[2]), Number(counted[3] ?? counted[2]))
    if (counted[1] === '\\d') return digits(random, count)
    return pick(random, ['FR', 'BE', 'DE', 'JP', 'US', 'ZZ'])
  }
  if (/phone/i.test(name)) return `+336${digits(random, 8)}`
  if (/currency/i.test(name)) return pick(random, ['EUR', 'EUR', 'EUR', 'USD', 'CHF', 'JPY'])
  const lengthMax = schema.maxLength ?? 60
  const text = `${pick(random, words)} ${random.between(1, chance(random, 50) ? 500 : 1e9)}`
  if (chance(random, 5)) return 'é'.repeat(lengthMax)
  return [...text].slice(0, lengthMax).join('') || 'x'
}

/** A value that its schema allows, as far as the schema says it all. */
export function valueFor(
  random: Random,
  given: Schema,
  name: string,
  idOf: (field: string) => string,
): unknown {
  const schema = resolve(given)
  if (schema.anyOf) {
    const [first, ...rest] = schema.anyOf
    return valueFor(random, chance(random, 85) ? first! : pick(random, [first!, ...rest]), name, idOf)
  }
  if ('const' in schema) return schema.const
  if (schema.enum) return pick(random, schema.enum)
  const types = [schema.type ?? []].flat()
  switch (chance(random, 85) ? types[0] : pick(random, types)) {
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = 1_000_000 } = schema
      if (chance(random, 10)) return pick(random, [minimum, maximum])
      return minimum + random.between(0, Math.min(maximum - minimum, chance(random, 80) ? 100_000 : maximum))
    }
    case 'boolean':
      return chance(random, 50)
    case 'array': {
      const { minItems = 0, maxItems = 3 } = schema
      const count = chance(random, 1) ? maxItems : random.between(minItems, Math.min(3, maxItems))
      return Array.from({ length: count }, () => valueFor(random, schema.items ?? {}, name, idOf))
    }
    case 'object':
      return objectFor(random, schema, name, idOf)
    case 'null':
      return null
    case 'string':
      return textFor(random, schema, name, idOf)
    default:
      return pick(random, hostile)
  }
}

/** A boolean: both values are tried often. */
export const isSwitch = (schema: Schema): boolean =>
  [schema.type].flat().includes('boolean') || (schema.anyOf ?? []).some(isSwitch)

function objectFor(random: Random, schema: Schema, name: string, idOf: IdOf): Json {
  if (!schema.properties) {
    const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {}
    const names = random.shuffled(words).slice(0, random.between(0, 3))
    return Object.fromEntries(names.map(key => [key, valueFor(random, values, key, idOf)]))
  }
  const wanted = Object.keys(schema.properties).filter(
    key => schema.required?.includes(key) || /^(name|email)$/.test(key) || chance(random, 25),
  )
  return Object.fromEntries(
    wanted.map(key => [key, valueFor(random, schema.properties![key]!, key === 'id' ? name : key, idOf)]),
  )
}
