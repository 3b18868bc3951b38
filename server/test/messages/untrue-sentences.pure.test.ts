import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { untrue } from './untrue-sentences.ts'

const features = join(import.meta.dirname, '../../src/features')
const folders = ['debtor-side/page/texts', 'recovery/messages/compose/texts', 'recovery/workflow/attestation']

/** What a debtor, or somebody who is shown an attestation, reads, as it is written in the sources. */
async function allTexts(): Promise<string> {
  const inFolder = async (folder: string) => {
    const names = (await readdir(join(features, folder))).filter(name => !name.endsWith('.test.ts'))
    return Promise.all(names.map(name => readFile(join(features, folder, name), 'utf8')))
  }
  return (await Promise.all(folders.map(inFolder))).flat().join('\n')
}

/** Where words to people stand: to debtors, to creditors, in the console, in the API and its documentation. */
const sourcesOfWords = ['server/src/features', 'server/src/domain', 'console/src', 'sdk/src/cli']

/** The lines of code, without comments, of every source that may hold words. */
async function linesOfSources(): Promise<{ at: string; line: string }[]> {
  const root = join(import.meta.dirname, '../../..')
  const inFolder = async (folder: string) => {
    const names = await readdir(join(root, folder), { recursive: true })
    const sources = names.filter(name => /\.tsx?$/.test(name) && !/\.test\.|generated/.test(name))
    return Promise.all(
      sources.map(async name => {
        const text = (await readFile(join(root, folder, name), 'utf8')).replaceAll(/\/\*[\s\S]*?\*\//g, '')
        return text
          .split('\n')
          .filter(line => !/^\s*\/\//.test(line))
          .map(line => ({ at: join(folder, name), line: line.trim() }))
      }),
    )
  }
  return (await Promise.all(sourcesOfWords.map(inFolder))).flat(2)
}

const namesCourt = /\ben justice\b|\btribuna(?:l|ux)\b|\bjudiciaires?\b|\bcourts?\b|\blawsuits?\b/i

/** Nothing is in court until it is filed: these are all the lines that name a court, and none says that a case is before it. */
const mayNameCourt: readonly RegExp[] = [
  // Codes of the program, and the lint of the words themselves.
  /(?:to|because)(?::| ===) 'court'|const courts|\? \[\] : courts|^rule\(/,
  // What a creditor may do, said in the formal notice and the last notice only, with its consent.
  /pour(?:rons|ra) demander en justice|may ask a court to order payment/,
  /announce court proceedings|ready to go to court|of a court only if asked|Threats, courts, added sums/,
  // What it is not, and costs that have no order of a court.
  /ni un commissaire de justice ni un tribunal|neither a bailiff nor a court/,
  /costs of recovery without a court order/,
  /Aucune action en justice n’est engagée|l’étape judiciaire/,
  // The possible routes, and what was filed.
  /'the administrative court'|'le tribunal administratif'|a court would hear of it/,
  /filed with (?:a|the) court|the number the court gave it/,
  // The time bar: until when a claim may be brought, and what it is counted from.
  /[Tt]ime to claim (?:an|this|these) invoices? in court|délai pour réclamer (?:cette facture|ces factures) en justice|service of a court document/,
  // The court of an insolvency, and the verb "courir".
  /(?:redressement|liquidation|mandataire) judiciaire/i,
  /insolvency_court|^court: (?:optionalText\(|z\.string\(|'The court that opened the proceedings')|a court may let in a late claim/,
  /(?:mise en demeure|prescription) court\b/,
]

it('nobody is told that a case is in court', async () => {
  const said = (await linesOfSources()).filter(
    ({ line }) => namesCourt.test(line) && !mayNameCourt.some(known => known.test(line)),
  )
  expect(said).toEqual([])
})

it('a line that says so is found, wherever it stands', async () => {
  const lines = await linesOfSources()
  for (const place of [
    'server/src/features/recovery/case/history-french.ts',
    'server/src/features/integrations/alerts/alert-texts.ts',
    'server/src/features/receivables/reports/aged-balance.ts',
    'server/src/domain/score/score-sentences.ts',
    'console/src/features/acts/words.ts',
    'console/src/lib/names.ts',
  ])
    expect(lines.some(({ at }) => at === place)).toBe(true)
  for (const untold of [
    'The case is before the court.',
    'le dossier passe en justice',
    'in court',
    'Judiciaire',
  ])
    expect(namesCourt.test(untold) && !mayNameCourt.some(known => known.test(untold))).toBe(true)
})

it.each(untrue)('nobody reads %s: %s', async sentence => {
  expect(await allTexts()).not.toMatch(sentence)
})

it('the texts are found', async () => {
  const texts = await allTexts()
  for (const known of ['en demeure de payer', 'Payer par virement', 'Pay by bank transfer'])
    expect(texts).toContain(known)
})
