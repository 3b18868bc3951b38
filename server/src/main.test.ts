import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const relance = (args: string[], env: Record<string, string>) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  })

test('help behind a role runs nothing, and tells of each variable what it may be and what it is by itself', () => {
  const { status, stdout, stderr } = relance(['migrate', '--help'], { PORT: 'abc' })
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain('It sells to consumers')
  for (const line of [
    'RELANCE_ENV            production refuses every shortcut of development (development|production, default production)',
    'SMS_PROVIDER           who carries text messages (ovhcloud|twilio)',
    'PORT                   port of the API (default 8080)',
    'KEYRING                id:base64 of 32 bytes, comma-separated, the active key first',
    'TRUSTED_PROXIES        addresses whose X-Forwarded-* are believed',
  ])
    expect(stdout.split('\n')).toContain(`  ${line}`)
})
