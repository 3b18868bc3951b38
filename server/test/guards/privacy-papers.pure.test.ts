import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { readCommandLine } from '../../src/start/command-line.ts'
import { type Config, readConfig } from '../../src/start/config.ts'
import { papers, papersInFrench, privacyCommand } from '../../src/start/privacy-command.ts'

const today = Date.parse('2026-11-19T09:00:00Z')
const named = {
  RELANCE_ENV: 'production',
  PUBLIC_URL: 'https://relance.example',
  OPERATOR_NAME: 'Rivoire Logiciels SAS',
  OPERATOR_ADDRESS: '8 quai Perrache, 69002 Lyon',
  OPERATOR_REGISTRATION: 'SAS au capital de 10 000 €, 732 829 320 RCS Lyon',
  OPERATOR_EMAIL: 'donnees@rivoire.example',
  HOST_NAME: 'Hébergeur Exemple',
  HOST_ADDRESS: '2 rue du Test, 59100 Roubaix, France',
}
const configured = readConfig({
  ...named,
  EMAIL_PROVIDER: 'brevo',
  SMS_PROVIDER: 'twilio',
  LETTER_PROVIDER: 'maileva',
  VOICE_PROVIDER: 'twilio',
  PAYMENT_PROVIDER: 'stripe',
  MODEL_PROVIDER: 'mistral',
  MODEL_NAME: 'large',
})

afterEach(() => vi.restoreAllMocks())
function printed(config: Config, ...args: string[]): string {
  const line = readCommandLine(['privacy', 'papers', ...args])
  if ('ask' in line) throw new Error('it asks')
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation(text => void lines.push(String(text)))
  privacyCommand(config, line, today)
  return lines.join('\n')
}

it('a configured installation prints every paper, and leaves no place open', () => {
  const text = printed(configured)
  expect(text).not.toMatch(/\{\{|\}\}|undefined|null/)
  for (const title of [
    '# Processing agreement (art. 28 GDPR)',
    '# Sub-processors',
    '# Security measures (art. 32 GDPR)',
    '# Retention, by kind of debtor',
    '# Register of the processor (art. 30(2) GDPR)',
    '# When data was lost, changed or seen (art. 33(2) GDPR)',
    '# Impact assessment (art. 35 GDPR): score, calls, replies',
  ])
    expect(text).toContain(title)
  for (const value of Object.values(named).slice(1)) expect(text).toContain(value)
  expect(text).toContain('Printed on 2026-11-19')
  expect(text).toContain('**30 days before** a provider is added or replaced')
  expect(text).toContain('| consumer | answer a claim of the person | 24 months |')
  expect(text).toContain('if it sets nothing, consumers 24 months and all others 60')
})

it('the sub-processors are the providers of the settings, and no other', () => {
  const text = printed(configured, '--paper', 'sub-processors')
  for (const row of [
    '| Hébergeur Exemple | 2 rue du Test, 59100 Roubaix, France | servers, database and backups | all |',
    '| Brevo | France | emails | name, email address, text |',
    '| Twilio | United States | calls and transcription | number, words during the call |',
    '| Maileva | France | registered letters | name, address, letter |',
    '| Stripe | United States | online payment | invoice, sum |',
    '| Mistral AI | France | language model | what the assistant reads, words during the call |',
  ])
    expect(text).toContain(row)
  const bare = printed(readConfig(named), '--paper', 'sub-processors')
  expect(bare).toContain('| a server that the operator chose | ……………… | emails |')
  expect(bare).not.toMatch(/Twilio|Maileva|Stripe|Mistral/)
})

it('what a company signs is there in French, with French names of countries', () => {
  const text = printed(configured, '--language', 'fr')
  expect(text).toContain('# Accord de sous-traitance (art. 28 du RGPD)')
  expect(text).toContain('# Mesures de sécurité (art. 32 du RGPD)')
  expect(text).toContain('les consommateurs 24 mois et tous les autres 60')
  expect(text).toContain('| Twilio | États-Unis | SMS | numéro, texte |')
  expect(text).not.toMatch(/\{\{| [:;?!»]/)
})

it('of a mandated collector the agreement names both roles, and leaves open which it is', () => {
  const paper = ['--paper', 'processing-agreement'] as const
  expect(printed(configured, ...paper)).toContain(
    'it may be a controller of its own for that. This is not settled: ………',
  )
  expect(printed(configured, '--language', 'fr', ...paper)).toMatch(
    /il peut être lui-même responsable d’un traitement\. Ce point n’est pas tranché\s: ………/,
  )
})

it('what is missing is named, and nothing is printed', () => {
  const { OPERATOR_EMAIL: _, HOST_NAME: __, ...rest } = named
  expect(() => printed(readConfig(rest))).toThrow(
    'The papers cannot be filled. Not set: OPERATOR_EMAIL, HOST_NAME.',
  )
  expect(() => printed(configured, '--paper', 'novel')).toThrow('--paper is one of processing-agreement')
  expect(() => printed(configured, '--language', 'fr', '--paper', 'register')).toThrow('--paper is one of')
})

it('every template is printed by the command', () => {
  const folder = join(import.meta.dirname, '../../../docs/privacy')
  const templates = (pattern: string) =>
    globSync(pattern, { cwd: folder })
      .map(file => basename(file, '.md'))
      .filter(name => name !== 'README')
      .sort()
  expect(templates('*.md')).toEqual([...papers].sort())
  expect(templates('fr/*.md')).toEqual([...papersInFrench].sort())
})
