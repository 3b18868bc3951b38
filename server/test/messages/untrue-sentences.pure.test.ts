import { expect, it } from 'vitest'
import { untrue } from './untrue-sentences.ts'
import { allSources, codeOf, wordsToPeople } from './words-to-people.ts'

const people = wordsToPeople().map(({ path }) => ({ path, code: codeOf(path) }))

/** The lines of code, without comments, of every source: words to people stand in it, and those of the API. */
const linesOfSources = (): { at: string; line: string }[] =>
  allSources().flatMap(at =>
    codeOf(at)
      .replaceAll(/\/\*[\s\S]*?\*\//g, '')
      .split('\n')
      .filter(line => !/^\s*\/\//.test(line))
      .map(line => ({ at, line: line.trim() })),
  )

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
  /no invoice that is closed or before a court is proposed/,
  /[Ff]iled with (?:a|the) court|the number the court gave it|dép[oô](?:sé|t) au tribunal/i,
  // The time bar: until when a claim may be brought, and what it is counted from.
  /[Tt]ime to claim (?:an|this|these) invoices? in court|délai pour réclamer (?:cette facture|ces factures) en justice|service of a court document/,
  // The court of an insolvency, and the verb "courir".
  /(?:redressement|liquidation|mandataire) judiciaire/i,
  /insolvency_court|^court: (?:optionalText\(|z\.string\(|'The court that opened the proceedings')|court may let in a late claim|(?:court can still let it in|tribunal peut encore l’admettre)/,
  /^\{ name: 'court'|^court: (?:textOf|court \?\?|'Tribunal'|'Court'|\{ label)|publishedOn, court, practitioner|insolvency\.court/,
  /(?:mise en demeure|prescription) court\b/,
]

it('nobody is told that a case is in court', () => {
  const said = linesOfSources().filter(
    ({ line }) => namesCourt.test(line) && !mayNameCourt.some(known => known.test(line)),
  )
  expect(said).toEqual([])
})

it('a line that says so is found, wherever it stands', () => {
  const lines = linesOfSources()
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

it.each(untrue)('nobody reads %s: %s', sentence => {
  expect(people.filter(({ code }) => sentence.test(code)).map(({ path }) => path)).toEqual([])
})

it('every source that speaks to people is read, without being named here', () => {
  const paths = people.map(({ path }) => path)
  for (const known of [
    'server/src/features/recovery/messages/compose/texts/english-blocks.ts',
    'server/src/features/debtor-side/page/texts/french.ts',
    'server/src/features/debtor-side/calls/call-texts.ts',
    'server/src/features/recovery/workflow/attestation/attestation-texts.ts',
    'server/src/features/recovery/case/history-english.ts',
    'server/src/features/integrations/alerts/alert-texts.ts',
    'server/src/domain/score/score-sentences.ts',
    'console/src/features/acts/words.ts',
    'console/src/lib/names.ts',
  ])
    expect(paths).toContain(known)
})
