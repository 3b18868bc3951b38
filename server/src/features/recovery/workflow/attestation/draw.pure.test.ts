import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPdf } from '../../../../../test/harness/pdf-text.ts'
import { knownSteps } from '../../../../domain/recovery/cascade.ts'
import { DAY } from '../../../../domain/time.ts'
import { printable } from '../../../../kit/pdf/printable.ts'
import { anrBases } from '../../case/events.ts'
import { type Attestation, type AttestedAction, attestedSteps } from './attestation.ts'
import { attestationTextsIn } from './attestation-texts.ts'
import { drawAttestation } from './draw-attestation.ts'

const start = Date.parse('2026-11-16T09:03:00+01:00')
const hash = (position: number) => position.toString(16).padStart(2, '0').repeat(32)

const sent = (
  action: AttestedAction['action'],
  channel: AttestedAction['channel'],
  day: number,
): AttestedAction => ({
  at: start + day * DAY,
  action,
  channel,
  status: 'sent',
  groupedWith: null,
  proof: { position: day + 1, hash: hash(day + 1) },
})

const some: Attestation = {
  id: '01a1dd16-6edd-7dd9-b7f7-4014cd39872c',
  madeAt: Date.parse('2027-01-01T00:30:00+01:00'),
  language: 'fr',
  zone: 'Europe/Paris',
  isSandbox: false,
  creditor: {
    name: 'Atelier Martin',
    address: '12 rue de la République',
    postalCode: '69002',
    city: 'Lyon',
    country: 'FR',
    siren: '732829320',
    legalForm: 'SARL',
    rcs: 'Lyon',
  },
  collector: null,
  debtor: {
    name: 'Établissements Durand & Fils',
    address: '3 chemin des Œillets',
    postalCode: '1000',
    city: 'Bruxelles',
    country: 'BE',
    siret: '73282932000074',
  },
  invoice: {
    number: 'F-2026-0042',
    issueDate: '2026-09-01',
    dueDate: '2026-10-15',
    currency: 'EUR',
    amountCents: 1_234_567,
    paidCents: 200_000,
    creditedCents: 10_000,
    writtenOffCents: 1_024_567,
  },
  basis: 'amicable_failed',
  isBasisOnRecord: true,
  note: 'Le gérant ne répond plus.\nLe siège est fermé.',
  liquidationOpenedOn: null,
  actions: [sent('email_prise_en_charge', 'email', 0), sent('ai_call', 'voice', 18)],
  unlisted: 0,
  chain: { length: 19, head: hash(19) },
}

const draw = async (changes: Partial<Attestation> = {}) => {
  const pdf = await drawAttestation({ ...some, ...changes })
  return { pdf, raw: pdf.toString('latin1'), ...readPdf(pdf) }
}

it('the same attestation is the same document to the byte, and another one another', async () => {
  const { pdf } = await draw()
  expect((await draw()).pdf.equals(pdf)).toBe(true)
  for (const change of [{ id: some.id.replace('0', '1') }, { madeAt: some.madeAt + 1_000 }, { note: null }])
    expect((await draw(change)).pdf.equals(pdf)).toBe(false)
})

it('it says who owed what to whom, why nothing came, and what was done', async () => {
  const { text, pages } = await draw()
  expect(pages).toBe(1)
  for (const said of [
    'Attestation de non-recouvrement',
    `Document n° ${some.id}`,
    // Half past midnight in Paris is still last year in UTC.
    'Établie le 1er janvier 2027',
    'Atelier Martin atteste que la somme indiquée ci-dessous, due au titre de sa facture F-2026-0042, n’a pas été recouvrée à ce jour.',
    'Atelier Martin 12 rue de la République 69002 Lyon France SARL SIREN 732 829 320 RCS Lyon',
    'Établissements Durand & Fils 3 chemin des Œillets 1000 Bruxelles Belgique SIRET 732 829 320 00074',
    'Facture n° F-2026-0042 Date d’émission 1er septembre 2026 Date d’échéance 15 octobre 2026',
    'Montant de la facture 12 345,67 € Sommes payées 2 000,00 € Avoirs 100,00 € Somme non recouvrée 10 245,67 €',
    'Échec du recouvrement amiable',
    'Précision du créancier : Le gérant ne répond plus. Le siège est fermé.',
    `16/11/2026 09:03 Premier message Courriel Envoyé 1 · ${hash(1).slice(0, 16)}`,
    `04/12/2026 09:03 Appel téléphonique Téléphone Appel passé 19 · ${hash(19).slice(0, 16)}`,
    'Le registre compte 19 inscriptions à ce jour.',
    `Empreinte de la dernière inscription : ${hash(19)}`,
    'Attestation établie le 1er janvier 2027 par le créancier, Atelier Martin, 12 rue de la République, 69002 Lyon, France, SARL, SIREN 732 829 320 RCS Lyon, avec le logiciel Relance et à partir des enregistrements de celui-ci.',
    'Ce document seul ne permet pas de récupérer la TVA. L’article 272',
    'Page 1 sur 1',
  ])
    expect(text).toContain(said)
  expect(text).not.toMatch(/sans valeur|\[\?\]|passée en perte|Selon la déclaration/)
})

it('a step that went with another invoice says with which one, and how it went', async () => {
  const actions = [{ ...sent('relance_email_1', 'voice', 5), groupedWith: 'F-2026-0232' }]
  expect((await draw({ actions })).text).toContain('Première relance, avec F-2026-0232 Téléphone Appel passé')
  expect((await draw({ actions, language: 'en' })).text).toContain(
    'First reminder, with F-2026-0232 Telephone',
  )
})

it('a company that speaks English gets it in English', async () => {
  const { text, raw } = await draw({ language: 'en' })
  expect(text).toContain('Certificate of non-recovery')
  expect(text).toContain('Amount of the invoice €12,345.67')
  expect(text).toContain('First notice Email Sent')
  expect(text).toContain('Certificate made on 1 January 2027 by the creditor, Atelier Martin,')
  expect(text).toContain('This document alone recovers no VAT.')
  expect(raw).toContain('/Lang (en-GB)')
  expect(text).not.toMatch(/[éàè]{1}ta|recouvr/)
})

it.each(['fr', 'en'] as const)(
  'every message and call has its own words in %s, and so has every basis',
  language => {
    const { actionNames, declared } = attestationTextsIn(language)
    const sending = Object.entries(knownSteps).flatMap(([name, channel]) => (channel === null ? [] : [name]))
    expect(Object.keys(actionNames).sort()).toEqual([...sending, 'extra_message'].sort())
    expect([...attestedSteps].sort()).toEqual(Object.keys(actionNames).sort())
    for (const name of attestedSteps) expect(actionNames[name], name).toBeTruthy()
    expect(new Set(anrBases.map(basis => declared[basis])).size).toBe(anrBases.length)
  },
)

it.each(anrBases)('%s: what the records do not show is the creditor’s declaration', async basis => {
  const { text } = await draw({ basis, isBasisOnRecord: false, liquidationOpenedOn: '2026-12-01' })
  expect(text).toContain('Selon la déclaration du créancier, ')
  expect(text).not.toContain('Procédure ouverte')
  const english = (await draw({ basis, isBasisOnRecord: false, language: 'en' })).text
  expect(english).toContain('According to the creditor’s declaration, ')
})

it('a liquidation says when it was opened, and no other cause does', async () => {
  const liquidationOpenedOn = '2026-12-01'
  const said = 'Procédure ouverte le 1er décembre 2026.'
  expect((await draw({ basis: 'liquidation', liquidationOpenedOn })).text).toContain(
    `Liquidation judiciaire du débiteur, selon l’enregistrement du créancier. ${said}`,
  )
  expect((await draw({ basis: 'untraceable', liquidationOpenedOn })).text).not.toContain(said)
})

it('a collector that acted is named, with the day of its mandate', async () => {
  const collector = {
    name: 'Cabinet Rivoire',
    address: '8 quai Perrache, 69002 Lyon',
    siren: '732829320',
    mandateSignedOn: '2026-01-12',
  }
  expect((await draw({ collector })).text).toContain(
    'Depuis le mandat du 12 janvier 2026, les démarches ont été accomplies au nom du créancier par Cabinet Rivoire, 8 quai Perrache, 69002 Lyon, SIREN 732829320.',
  )
  expect((await draw({})).text).not.toContain('mandat')
})

it('what a sandbox makes says on every page that it has no value', async () => {
  const actions = Array.from({ length: 40 }, (_, day) => sent('relance_email_1', 'email', day))
  const { text, pages } = await draw({ isSandbox: true, actions })
  expect(pages).toBe(2)
  expect(text.match(/Environnement de test : document sans valeur/g)).toHaveLength(1 + pages)
})

it('without a contact, an address or a note it is a whole document too', async () => {
  const { text, pages } = await draw({
    actions: [],
    chain: { length: 0, head: null },
    note: ' \n ',
    creditor: { ...some.creditor, address: null, postalCode: null, city: null },
    debtor: { ...some.debtor, siret: null },
  })
  expect(pages).toBe(1)
  expect(text).toContain('Aucune démarche n’est enregistrée')
  expect(text).toContain('Aucun contact n’est inscrit au registre')
  expect(text).toContain('Créancier Atelier Martin France SARL SIREN 732 829 320 RCS Lyon Débiteur')
  expect(text).not.toMatch(/SIRET \d|Précision|null/)
})

describe('as a tagged PDF', () => {
  it('it has a language, a title that is shown, and nothing drawn outside its structure', async () => {
    const actions = Array.from({ length: 100 }, (_, day) => sent('relance_email_1', 'email', day))
    const { raw, unmarked, pages } = await draw({ actions, unlisted: 7, note: 'a b '.repeat(500) })
    expect(pages).toBeGreaterThan(2)
    expect(unmarked).toEqual([])
    for (const written of [
      '%PDF-1.7',
      '/Lang (fr-FR)',
      '/Marked true',
      '/DisplayDocTitle true',
      '/StructTreeRoot',
      `/Title`,
      '/S /Document',
      '/S /H1',
      '/S /TBody',
      '/Scope /Column',
      '/Scope /Row',
    ])
      expect(raw).toContain(written)
    expect(raw.match(/\/S \/TR\n/g)).toHaveLength(7 + 1 + 100)
    expect(raw).toContain('/CreationDate')
    expect(raw).toContain('(D:20261231233000Z)')
  })

  it('no text of a customer reaches its metadata, which the library writes without escaping', async () => {
    const name = 'Durand <rdf:li>& ]]>'
    const { raw, text } = await draw({
      creditor: { ...some.creditor, name },
      debtor: { ...some.debtor, name },
      invoice: { ...some.invoice, number: name },
    })
    expect(text).toContain(`Facture n° ${name}`)
    expect(raw).not.toContain('Durand')
  })
})

describe('what the fonts cannot show', () => {
  it('stays visible, is spelled out in the structure, and the document says so', async () => {
    const name = 'Dvořák & Łukasz 李明 🙂'
    const { text, raw } = await draw({ debtor: { ...some.debtor, name } })
    expect(text).toContain('Dvorák & Lukasz [?] [?]')
    expect(text).toContain('[?] marque un caractère manquant')
    const utf16 = Buffer.from(name, 'utf16le').swap16().toString('latin1')
    expect(raw).toContain(`/ActualText (\xfe\xff${utf16}`)
  })

  it('a sum in a currency whose symbol is missing carries its code', async () => {
    const sumsIn = async (currency: string) =>
      (await draw({ invoice: { ...some.invoice, currency } })).text.match(
        /Montant de la facture ([^A]+)/,
      )?.[1]
    expect(await sumsIn('INR')).toMatch(/^12 345,67 INR/)
    expect(await sumsIn('USD')).toMatch(/^12 345,67 \$US/)
  })

  it('every text becomes one the fonts know, and one they know stays as it is', () => {
    const winAnsi = new TextDecoder('windows-1252')
    const known = Array.from({ length: 224 }, (_, i) => i + 32)
      .filter(code => ![0x7f, 0x81, 0x8d, 0x8f, 0x90, 0x9d, 0xad].includes(code))
      .map(code => winAnsi.decode(Buffer.from([code])))
    for (const character of known) expect(printable(character)).toEqual({ text: character, isExact: true })
    const allowed = new Set([...known, '\n'])
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), written => {
        const { text } = printable(written)
        expect([...text].filter(character => !allowed.has(character))).toEqual([])
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...known) }), written => {
        expect(printable(written).text).toBe(written.normalize('NFC'))
      }),
    )
  })
})

it('a note of a thousand lines or one endless word does not push the document over pages', async () => {
  expect((await draw({ note: 'a\n'.repeat(1_000) })).pages).toBe(2)
  expect((await draw({ note: 'a'.repeat(2_000) })).pages).toBe(2)
})

it('wherever a page ends, the head of the chain stays with its label, and no heading stands alone', async () => {
  for (let rows = 0; rows < 24; rows++) {
    const actions = Array.from({ length: rows + 1 }, (_, day) => sent('relance_email_1', 'email', day))
    const { text } = await draw({ actions })
    expect(text, `${rows} rows`).toContain(`Empreinte de la dernière inscription : ${hash(19)}`)
    expect(text, `${rows} rows`).toMatch(/Preuve des contacts Chaque contact/)
    expect(text, `${rows} rows`).toMatch(/Démarches accomplies Date Démarche Voie Résultat Preuve 16\/11/)
  }
})

it('more actions than it lists are counted', async () => {
  expect((await draw({ unlisted: 1 })).text).toContain('Une autre démarche est enregistrée')
  expect((await draw({ unlisted: 12 })).text).toContain('12 autres démarches sont enregistrées')
})
