import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inheritedEnv } from '../dev/relance-args.ts'

const relance = (args: string[], env: Record<string, string>) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
    env: { ...inheritedEnv(), ...env },
    encoding: 'utf8',
  })

test('help behind a role runs nothing', () => {
  const { status, stdout, stderr } = relance(['migrate', '--help'], { PORT: 'abc' })
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain('Brings the schema up to date.')
})

test('help about the environment tells of each variable what it may be and what it is by itself', () => {
  const { stdout } = relance(['help', 'environment'], {})
  for (const line of [
    'RELANCE_ENV            production refuses every shortcut of development (development|production, default production)',
    'SMS_PROVIDER           provider for text messages (ovhcloud|twilio)',
    'PORT                   port of the API (default 8080)',
    'KEYRING                id:base64 of 32 bytes, comma-separated, the active key first',
    'TRUSTED_PROXIES        addresses whose X-Forwarded-* are believed',
  ])
    expect(stdout.split('\n')).toContain(`  ${line}`)
})

const nowhere = 'postgres://relance_operator:secret@127.0.0.1:9/relance'
test.each([
  { args: ['migrat'], env: {}, code: 2, says: 'There is no command "migrat"' },
  { args: ['api'], env: { PORT: 'abc' }, code: 3, says: 'PORT: ' },
  { args: ['api'], env: { KEYRING: 'k1:short' }, code: 3, says: 'KEYRING: each key is' },
  { args: ['migrate'], env: {}, code: 3, says: 'DATABASE_URL is not set' },
  { args: ['migrate'], env: { DATABASE_URL: nowhere }, code: 4, says: 'the database does not answer' },
  { args: ['company', 'list'], env: { OPERATOR_DATABASE_URL: nowhere }, code: 4, says: 'does not answer' },
])('$args ends with exit code $code and says what is wrong, without a stack', ({ args, env, code, says }) => {
  const { status, stderr } = relance(args, { RELANCE_ENV: 'development', ...env })
  expect(stderr).toContain(says)
  expect(stderr).not.toContain('    at ')
  expect(stderr).not.toContain('secret')
  expect(status).toBe(code)
})

test('the version is printed', () => {
  expect(relance(['--version'], {})).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  })
})
