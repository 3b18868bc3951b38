import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { payoutMailContent } from '../../src/features/access/companies/payout-mail-texts.ts'
import { frenchMails } from '../../src/features/access/people/texts/french-mails.ts'
import {
  endedWebhookMail,
  webhookMailTexts,
} from '../../src/features/integrations/webhooks/owner-mail-texts.ts'
import type { MailContent } from '../../src/features/platform/account-mail/enqueue-notice.ts'
import { frenchIn, frenchOfConsole } from './console-dictionaries.ts'

const root = join(import.meta.dirname, '../../..')

async function textsOf(patterns: readonly string[]): Promise<[path: string, text: string][]> {
  const paths: string[] = []
  for (const pattern of patterns)
    for await (const path of glob(pattern, { cwd: root }))
      if (!/\.test\.|\.generated\.|pictures|node_modules/.test(path)) paths.push(path)
  return Promise.all(
    paths.toSorted().map(async path => [path, await readFile(join(root, path), 'utf8')] as const),
    // What we do not say is named there.
  ).then(texts => texts.map(([path, text]) => [path, text.split('## What we do not say')[0]!]))
}

/** The words of the console, and what the server says to people and to developers. */
const dictionaries = [
  'console/src/**/*words.ts',
  'console/src/lib/names.ts',
  'console/src/lib/commands.ts',
  'server/src/features/integrations/alerts/*-texts.ts',
  'server/src/features/integrations/assistant/*-texts.ts',
  'server/src/features/recovery/case/history-*.ts',
  'server/src/features/recovery/case/reason-texts.ts',
  'server/src/features/debtor-side/page/texts/*.ts',
  'server/src/features/recovery/messages/compose/texts/*.ts',
  'server/src/features/access/**/*-texts.ts',
  'server/src/features/access/**/texts/*.ts',
  'server/src/features/**/*mails.ts',
]
const contract = ['server/openapi.json', 'sdk/src/generated/*.ts', 'server/src/features/**/*.ts']
const documents = ['docs/**/*.md', '*.md', 'sdk/*.md']

const found = (texts: readonly [string, string][], pattern: RegExp) =>
  texts.flatMap(([path, text]) => [...text.matchAll(pattern)].map(match => `${path}: ${match[0]}`))

it('there are texts to read', async () => {
  const texts = await textsOf(dictionaries)
  expect(texts.length).toBeGreaterThan(25)
  for (const known of ['Contestation ouverte', 'n’est plus contacté', 'hors de nos heures'])
    expect(texts.some(([, text]) => text.includes(known))).toBe(true)
})

it('our own rules of contact are not called the law: no text of the law sets hours for amicable recovery', async () => {
  const pattern = /heures légales|moment légal|legal (?:hours|moment)|limits of the law|hours of the law/gi
  expect(found(await textsOf([...dictionaries, ...contract, ...documents]), pattern)).toEqual([])
})

it('a write-off is not called a release of the debt, which has its own effect (art. 1350 C. civ.)', async () => {
  expect(found(await textsOf(dictionaries), /.*(?:abandon|given up|give up).*/gi)).toEqual([])
})

it('nobody is told that the debtor never sees what a copy of art. 15 GDPR has', async () => {
  const pattern = /jamais montré|never shown to the debtor/gi
  expect(found(await textsOf([...dictionaries, ...contract, ...documents]), pattern)).toEqual([])
})

it('the words of a dispute judge nobody, and costs of recovery are not asked for', async () => {
  const pattern =
    /trancher|a tort\b|debtor is wrong|frais de retard|late payment costs|hors de Relance|outside Relance|annulez la facture/gi
  expect(found(await textsOf(dictionaries), pattern)).toEqual([])
})

it('what a debtor objects to is a contestation in French; a litige is before a court', async () => {
  expect(found(await textsOf(dictionaries), /.*litig(?:e|ieu).*/gi)).toEqual([])
})

it('the console has the words of its readers: clients, what was sent, the test mode', async () => {
  const [[file, history]] = (await textsOf(['server/src/features/recovery/case/history-french.ts'])) as [
    [string, string],
  ]
  const texts = [...frenchOfConsole(), ...history.split('\n').map(text => ({ file, text }))]
  expect(texts.length).toBeGreaterThan(1_000)
  for (const part of ['/acts/', '/timeline/', 'lib/commands', 'history-french'])
    expect(texts.some(({ file }) => file.includes(part))).toBe(true)
  const old =
    /débiteur|bac à sable|solde ouvert|sort inconnu|messages? à partir|passer en perte|(?<!en |\p{L})parti(?:e|s|es)?(?!\p{L})|défaire|toutes les touches|ne rien changer/iu
  expect(texts.filter(({ text }) => old.test(text))).toEqual([])
})

it('the French of the console has typographic apostrophes, and no-break spaces before : ; ? ! and inside « »', () => {
  const texts = frenchOfConsole()
  const faulty =
    /\p{L}'\p{L}| [:;?!»]|« |«(?![\u00a0\u202f])|(?<![\u00a0\u202f])»|(?<=[\p{L}\d…)])[:;?!](?=\s|$)/u
  expect(texts.filter(({ text }) => faulty.test(text))).toEqual([])
  const said = frenchIn(`defineWords({ a: \`Motif : \${b ? 'oui ?' : "«non»"}\`, c: 'Motif\\u00a0: d' }, {})`)
  expect(said.map(text => faulty.test(text))).toEqual([true, true, true, false])
})

it('account mails have typographic apostrophes and no-break spaces', () => {
  const facts = {
    companyName: 'Atelier',
    environment: 'production',
    url: 'https://atelier.example/hook',
    webhookId: 'w',
    event: 'debt.paid',
    lastAnswer: '500',
    since: 's',
  } as const
  const news = (['requested', 'confirmed', 'withdrawn', 'applied'] as const).map(what => ({
    field: 'iban' as const,
    from: null,
    to: 'FR14',
    what,
    effectiveAt: '2026-11-16T08:00:00Z',
  }))
  const by = { kind: 'person', email: null } as const
  const mails = [
    ...Object.values(frenchMails).map(mail => (mail as (given: unknown) => MailContent)('x')),
    ...(['webhook_failing', 'webhook_redirecting', 'webhook_disabled'] as const).map(kind =>
      webhookMailTexts(kind, 'fr', facts),
    ),
    endedWebhookMail('fr', facts),
    ...news.map(one => payoutMailContent('fr', { by, news: [one], timeZone: 'UTC', link: 'l' } as never)),
  ]
  expect(mails.length).toBeGreaterThan(15)
  for (const { subject, text } of mails) {
    expect(`${subject}\n${text}`).not.toMatch(/\p{L}'\p{L}/u)
    expect(`${subject}\n${text}`).not.toMatch(/ [:;?!»]|« /)
  }
})
