import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { exampleEnvironment, readConfig, settings, variableNames } from './config.ts'
import { faultsOf } from './config-command.ts'

const home = mkdtempSync(join(tmpdir(), 'relance-config-'))
afterAll(() => rmSync(home, { recursive: true }))
const file = (text: string) => {
  const path = join(home, 'secret')
  writeFileSync(path, text)
  return path
}

const ring = `k1:${Buffer.alloc(32, 1).toString('base64')}`

describe('a secret in a file', () => {
  it('is read without the newline at its end', () => {
    expect(readConfig({ KEYRING_FILE: file(`${ring}\n`) }).KEYRING).toBe(ring)
  })

  it('is refused beside the variable itself', () => {
    expect(() => readConfig({ KEYRING: ring, KEYRING_FILE: file(ring) })).toThrow(
      /^KEYRING and KEYRING_FILE are both set; keep one of them\.$/,
    )
  })

  it('is judged like the variable', () => {
    expect(() => readConfig({ REDIS_URL_FILE: file('nowhere') })).toThrow('REDIS_URL must be a URL')
  })

  it('that cannot be read is named', () => {
    expect(() => readConfig({ SMTP_URL_FILE: join(home, 'none') })).toThrow(
      `SMTP_URL_FILE names a file that cannot be read: ${join(home, 'none')} (ENOENT).`,
    )
  })

  it('may hold every variable that sounds like a secret', () => {
    const secret = /KEY|SECRET|TOKEN|PASSWORD|DATABASE_URL|REDIS_URL|SMTP_URL/
    const others = settings.filter(({ name, canBeFile }) => secret.test(name) && !canBeFile)
    // A file already, an address, and numbers of tokens of a language model.
    expect(others.map(({ name }) => name)).toEqual([
      'MAILEVA_TOKEN_URL',
      'MODEL_TOKENS_PER_TURN',
      'MODEL_TOKENS_PER_DAY',
      'TLS_KEY_FILE',
    ])
  })
})

describe('config check', () => {
  const shell = {
    PATH: '/bin',
    HOME: '/root',
    HOSTNAME: 'a',
    LANG: 'C',
    NODE_ENV: 'x',
    SSL_CERT_FILE: '/etc/ssl/ca.pem',
    MAIL: '/var/mail',
    PWD: '/',
  }

  it.each([
    ['SMPT_URL', 'SMPT_URL is not a setting; did you mean SMTP_URL?'],
    ['DATABSE_URL', 'DATABSE_URL is not a setting; did you mean DATABASE_URL?'],
    ['KEYRING_FIL', 'KEYRING_FIL is not a setting; did you mean KEYRING_FILE?'],
    ['PORTS', 'PORTS is not a setting; did you mean PORT?'],
    ['TWILIO_REGION', 'TWILIO_REGION is not a setting.'],
    ['RELANCE_MODE', 'RELANCE_MODE is not a setting.'],
  ])('names %s', (name, sentence) => {
    expect(faultsOf({ ...shell, [name]: 'x' }, false)).toEqual([sentence])
  })

  it('leaves the variables of a shell alone, and knows each of ours', () => {
    expect(faultsOf(shell, false)).toEqual([])
    const known = Object.fromEntries(variableNames.map(name => [name, 'x']))
    expect(faultsOf(known, true).filter(fault => fault.includes('not a setting'))).toEqual([])
  })

  it('names every unknown variable of a file of ours', () => {
    expect(faultsOf({ COLOUR: 'red' }, true)).toEqual(['COLOUR is not a setting.'])
  })

  it('says what is wrong with values, a sentence each', () => {
    expect(faultsOf({ PORT: 'abc', MAIL_FROM: 'x' }, false)).toEqual([
      expect.stringMatching(/^PORT: /),
      expect.stringMatching(/^MAIL_FROM: /),
    ])
    expect(faultsOf({ PUBLIC_URL: 'http://relance.example' }, false)).toEqual([
      'PUBLIC_URL must be https: production refuses to start with it',
    ])
  })

  it('accepts .env.example as it is, and with its defaults uncommented', () => {
    expect(parseEnv(exampleEnvironment())).toEqual({})
    const uncommented = parseEnv(exampleEnvironment().replace(/^#(?=[A-Z_]+=.)/gm, ''))
    expect(uncommented.PORT).toBe('8080')
    expect(faultsOf(uncommented, true)).toEqual([])
  })
})
