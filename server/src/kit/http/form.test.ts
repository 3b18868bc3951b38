import { expect, test } from 'vitest'
import { field, fieldList, parseForm } from './form.ts'

const parse = (text: string) => parseForm(Buffer.from(text))!

test('a form is read as browsers write it', () => {
  const form = parse('name=L%C3%A9a+Petit&empty=&none&csrf=a%3Db')
  expect(field(form, 'name')).toBe('Léa Petit')
  expect(field(form, 'csrf')).toBe('a=b')
  for (const name of ['empty', 'none', 'missing', '__proto__']) expect(field(form, name)).toBe('')
})

test('a repeated field is a list, and no single value', () => {
  const form = parse('company=1&company=2&role=x')
  expect(fieldList(form, 'company')).toEqual(['1', '2'])
  expect(field(form, 'company')).toBe('')
  expect(fieldList(form, 'role')).toEqual(['x'])
})

test('more than 200 fields or 16 kB are not read', () => {
  expect(parse('a&'.repeat(199)).get('a')).toHaveLength(199)
  expect(parseForm(Buffer.from('a&'.repeat(200)))).toBeNull()
  expect(parse('a'.repeat(16 * 1024)).size).toBe(1)
  expect(parseForm(Buffer.from('a'.repeat(16 * 1024 + 1)))).toBeNull()
})

test('a form that is refused costs no more than its bytes', () => {
  const body = Buffer.from('a&'.repeat(512 * 1024))
  const before = process.threadCpuUsage()
  expect(parseForm(body, body.length)).toBeNull()
  expect(process.threadCpuUsage(before).user).toBeLessThan(50_000)
})
