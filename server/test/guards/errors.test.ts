import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import openApi from '../../openapi.json' with { type: 'json' }
import { operations } from '../../src/features/all.ts'
import { errorTexts } from '../../src/features/platform/error-texts.ts'
import { errorStatuses } from '../../src/kit/errors.ts'
import { useInstallation } from '../harness/use-installation.ts'

const installation = useInstallation()

/** The specification's list with the statuses decided for it: nothing in here follows the code. */
const promised: Record<string, number> = {
  AUTH_001: 401,
  AUTH_002: 401,
  AUTH_003: 401,
  AUTH_004: 403,
  AUTH_005: 403,
  AUTH_006: 403,
  AUTH_007: 403,
  RATE_001: 429,
  RATE_002: 429,
  RATE_003: 429,
  VAL_001: 400,
  VAL_002: 400,
  VAL_003: 400,
  VAL_004: 400,
  VAL_005: 413,
  RES_001: 404,
  RES_002: 409,
  RES_003: 409,
  RES_004: 423,
  BIZ_001: 400,
  BIZ_002: 400,
  BIZ_003: 404,
  BIZ_004: 400,
  WH_001: 502,
  WH_002: 400,
  WH_003: 401,
  SVC_001: 503,
  SVC_002: 504,
  SVC_003: 502,
  SYS_001: 500,
  SYS_002: 503,
  SYS_003: 410,
  FORBIDDEN_FIELD_MODIFICATION: 400,
}

it('the server knows the 33 codes of the specification, each with its status, and no other', () => {
  expect(Object.keys(promised)).toHaveLength(33)
  expect(errorStatuses).toEqual(promised)
})

it('every code is explained in docs/errors.md as the server answers it, and the page explains no other', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/errors.md'), 'utf8')
  const explained = page
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .map(line => line.split('|').map(cell => cell.trim()))
    .map(([, code, status, means, next]) => [
      code!.replaceAll('`', ''),
      { status: Number(status), means, next },
    ])
  expect(explained).toEqual(
    Object.entries(errorTexts).map(([code, texts]) => [
      code,
      { status: errorStatuses[code as keyof typeof errorStatuses], ...texts },
    ]),
  )
})

it('every code says what it means and what to do next, in a sentence', () => {
  for (const [code, { means, next }] of Object.entries(errorTexts)) {
    expect(means, code).toMatch(/^[A-Z].*[^.]$/)
    expect(next, code).toMatch(/^[A-Z].*\.$/)
  }
})

it('every address an error points to exists on the page it points to', async () => {
  const response = await fetch(`${installation.server.baseUrl}/docs/errors`)
  expect(response.status).toBe(200)
  const ids = [...(await response.text()).matchAll(/ id="([^"]+)"/g)].map(match => match[1])
  expect(ids.filter(id => id! in errorStatuses)).toEqual(Object.keys(errorStatuses))
})

it('the published document knows the same codes', () => {
  expect(openApi.components.schemas.ErrorCode.enum).toEqual(Object.keys(errorStatuses))
})

it('every error an operation declares is one of them', () => {
  for (const operation of operations)
    for (const { code } of operation.errors) expect(Object.keys(errorStatuses), operation.id).toContain(code)
})
