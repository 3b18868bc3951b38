import { expect, test } from 'vitest'
import { ApiError } from '../errors.ts'
import { parseJson } from './json.ts'

function refusal(text: string): ApiError {
  try {
    parseJson(text)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error(`accepted: ${text.slice(0, 100)}`)
}

test('reads what JSON.parse reads', () => {
  for (const text of [
    '{}',
    ' [ ] ',
    'null',
    '"a"',
    '-1.5e3',
    '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
    '{"a":"{\\"a\\":1,\\"a\\":2}","b":"\\\\"}',
    '{"a":"]},:[{","a ":1,"A":2,"":3}',
    '{"a":["a","a","a"],"b":"a:a"}',
    `{"text":"${'\\\\'.repeat(50)}\\""}`,
  ])
    expect(parseJson(text), text).toEqual(JSON.parse(text))
})

test('a name that is given twice in one object is VAL_001, wherever it is', () => {
  for (const [text, field] of [
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"x":{"b":[0,{"a":1,"c":{},"a":2}]}}', 'x.b[1].a'],
    ['{"a":{"a":1},"a":2}', 'a'],
    ['[{"a":1},{"a":1,"a":1}]', '[1].a'],
  ] as const) {
    const { code, extras } = refusal(text)
    expect([text, code, extras.details]).toEqual([
      text,
      'VAL_001',
      [{ field, code: 'repeated', message: 'is given more than once' }],
    ])
  }
})

test('what is not JSON is VAL_004, also when it repeats a name', () => {
  for (const text of [
    '{',
    '{"a":1,"a":2',
    '}',
    ']',
    '{"a":1,}',
    '"',
    '"\\',
    '{"a":"b}',
    'a:b',
    ':',
    '{"\\u00":1}',
  ])
    expect([text, refusal(text).code]).toEqual([text, 'VAL_004'])
})

test('depth, names and values have limits', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  expect(parseJson(nested(32))).toBeTruthy()
  expect(refusal(nested(33)).message).toContain('32 levels')
  const names = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')}}`
  expect(Object.keys(parseJson(names(500)) as object)).toHaveLength(500)
  expect(refusal(names(501)).message).toContain('500 names')
  const items = (count: number) => `[${'1,'.repeat(count - 1)}1]`
  expect(parseJson(items(5_000))).toHaveLength(5_000)
  expect(refusal(items(5_001)).message).toContain('5000 items')
  const lists = (count: number) => `[${Array.from({ length: count }, () => items(4_000)).join(',')}]`
  expect(parseJson(lists(4))).toHaveLength(4)
  expect(refusal(lists(5)).message).toContain('20000 values')
  expect(refusal('{"__proto__":{}}').code).toBe('VAL_004')
})

test('the answer about a repeated name stays small, however long the names are', () => {
  const long = 'x'.repeat(100_000)
  const inner = Array.from({ length: 400 }, (_, i) => `"${i % 200}":1`).join(',')
  const { extras } = refusal(`{"${long}":{${inner}}}`)
  expect(extras.details).toHaveLength(100)
  expect(JSON.stringify(extras).length).toBeLessThan(50_000)
})

test('2 MB cost little, whatever they contain', () => {
  const bytes = 2 * 1024 * 1024
  for (const unit of ['[],', '"a":1,', '{', '\\"', '"', '\\', ':', ','])
    for (const text of [unit.repeat(bytes / unit.length), `"${unit.repeat(bytes / unit.length)}"`]) {
      let best = Number.POSITIVE_INFINITY
      for (let i = 0; i < 3 && best > 80; i++) {
        const before = process.threadCpuUsage()
        try {
          parseJson(text)
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError)
        }
        best = Math.min(best, process.threadCpuUsage(before).user / 1_000)
      }
      expect(best, `${unit} ${text.slice(0, 5)}`).toBeLessThan(80)
    }
})

test('a body costs no more than its bytes, whatever its punctuation is', () => {
  const name = 'x'.repeat(100_000)
  const bodies = {
    'a name and many colons': `{"${name}"${':'.repeat(100_000)}1}`,
    'a name with an escape and many colons': `{"${name}\\n"${':'.repeat(100_000)}1}`,
    'a name and many lists': `{"${name}":${'[]'.repeat(49_000)}}`,
    'a name and many objects': `{"${name}":${'{}'.repeat(49_000)}}`,
    'many texts': '"a"'.repeat(60_000),
    'many escapes': `"${'\\'.repeat(200_000)}`,
  }
  for (const [what, body] of Object.entries(bodies)) {
    const before = process.threadCpuUsage()
    expect(refusal(body).code, what).toBe('VAL_004')
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1_000, what).toBeLessThan(500)
  }
}, 300_000)
