import { expect, it } from 'vitest'
import { readPdf } from '../../../../../test/harness/pdf-text.ts'
import { drawCopy } from './draw-copy.ts'
import type { Copy } from './read-copy.ts'

const madeAt = Date.parse('2026-12-01T00:30:00+01:00')

const some: Copy = {
  language: 'fr',
  keepMonths: 24,
  person: {
    name: 'Ada Lovell',
    email: 'ada@maison.example',
    phone: '+33698765421',
    siret: null,
    address: '77 allée des Œillets',
    postal_code: '69007',
    city: 'Lyon',
    country: 'FR',
    type: 'consumer',
    language: 'fr',
    notes: 'Préfère le matin',
    insolvency_opened_on: null,
    creditor: 'Menuiserie Lambert',
    contact: 'contact@lambert.example',
    time_zone: 'Europe/Paris',
    keep_months: 24,
    providers: { email: 'brevo', sms: 'twilio-sms', voice: 'twilio-voice', lrar: 'maileva' },
  },
  people: [
    {
      name: 'Maître Blanc',
      role: 'lawyer',
      ground: 'Mandat du 3 mars',
      email: 'blanc@avocats.example',
      phone: null,
    },
    { name: 'Ada Lovell', role: 'debtor', ground: null, email: null, phone: '+33698765400' },
  ],
  invoices: [
    {
      id: '01a1a0a3-0280-7644-9c2e-58d07ba1f346',
      number: 'F-2026-0042',
      due_date: '2026-10-01',
      amount_cents: 120_000,
      paid_cents: 20_000,
      credited_cents: 0,
      currency: 'EUR',
      status: 'partial',
    },
  ],
  promises: [
    {
      number: 'F-2026-0042',
      currency: 'EUR',
      amount_cents: 100_000,
      pay_on: '2026-12-15',
      status: 'open',
    },
  ],
  disputes: [
    {
      number: 'F-2026-0042',
      reason: 'Une porte manque',
      opened_at: Date.parse('2026-11-02T10:00:00Z'),
      status: 'partly',
    },
  ],
  calls: [{ began_at: Date.parse('2026-11-20T10:00:00Z'), note: 'Paiera mi-décembre' }],
  replies: [{ at: Date.parse('2026-11-21T10:00:00Z'), words: 'Re : facture · Je conteste\nla porte' }],
  requests: [
    { kind: 'restriction', received_on: '2026-11-16', due_on: '2026-12-16', decision: null },
    { kind: 'objection', received_on: '2026-10-05', due_on: '2026-11-05', decision: 'refused' },
  ],
  closed: [{ channel: 'sms', because: 'opt_out' }],
  score: { total: 41, explanations: ['Rien n’est échu.', 'Aucun encours.'] },
  lines: [
    { at: Date.parse('2026-11-20T10:00:00Z'), number: 'F-2026-0042', sentence: 'Appel passé.' },
    { at: Date.parse('2026-11-16T08:00:00Z'), number: null, sentence: 'Débiteur mis en pause.' },
  ],
}

const draw = async (changes: Partial<Copy> = {}) => {
  const pdf = await drawCopy({ ...some, ...changes }, madeAt)
  return { raw: pdf.toString('latin1'), ...readPdf(pdf) }
}

it('says in French, part by part, what is kept, why, for how long, and which rights there are', async () => {
  const { text, unmarked, raw } = await draw()
  expect(unmarked).toEqual([])
  expect(raw).toContain('/Lang (fr-FR)')
  for (const said of [
    // Half past midnight in Paris is still November in UTC.
    'Vos données Copie faite le 1er décembre 2026 pour vous, à votre demande (art. 15 et 20 du RGPD).',
    'Qui vous êtes Nom Ada Lovell Adresse e-mail ada@maison.example Téléphone +33698765421',
    'Adresse postale 77 allée des Œillets, 69007 Lyon, FR Langue des messages français',
    'Vous êtes connu comme consommateur Notes du créancier Préfère le matin',
    'Les personnes notées pour vous joindre Maître Blanc (avocat), blanc@avocats.example. Motif noté : Mandat du 3 mars Ada Lovell (ancienne adresse), +33698765400',
    'Vos factures Facture Échéance Montant Payé Avoirs État F-2026-0042 1er octobre 2026 1 200,00 € 200,00 € 0,00 € payée en partie',
    'Ce que vous avez annoncé Facture F-2026-0042 : 1 000,00 € pour le 15 décembre 2026 (en cours).',
    'Ce que vous avez contesté Facture F-2026-0042, contestée le 2 novembre 2026 (acceptée en partie). Motif noté : Une porte manque',
    'Notes d’appels 20 novembre 2026 · Paiera mi-décembre',
    'Ce que vous avez écrit 21 novembre 2026 · Re : facture · Je conteste la porte',
    'Ce qui s’est passé Date Facture Ce qui s’est passé 20 novembre 2026 F-2026-0042 Appel passé. 16 novembre 2026 Débiteur mis en pause.',
    'Le score de risque Votre score est de 41 sur 195.',
    '· Rien n’est échu. · Aucun encours.',
    'Là où l’on ne vous écrit plus SMS (vous l’avez demandé)',
    'Limitation (art. 18) : reçue le 16 novembre 2026, réponse due le 16 décembre 2026 au plus tard.',
    'Opposition (art. 21) : reçue le 5 octobre 2026, refusée.',
    'Menuiserie Lambert est responsable de vos données. Contact : contact@lambert.example.',
    'les prestataires des messages (brevo, maileva, twilio)',
    'le logiciel garde le dossier 24 mois, puis il l’efface',
    'Vos droits Vous pouvez demander de corriger vos données',
    'Vous pouvez saisir la CNIL',
    'Les fichiers joints',
  ])
    expect(text).toContain(said)
  expect(text).not.toMatch(/undefined|null|SIRET|\[\?\]/)
})

it('speaks English to who reads English', async () => {
  const person = { ...some.person, language: 'en' as const }
  const { text, raw } = await draw({ language: 'en', person })
  expect(raw).toContain('/Lang (en-GB)')
  for (const said of [
    'Your data Copy made on 1 December 2026 for you',
    'Who you are Name Ada Lovell',
    'The people recorded to reach you Maître Blanc (lawyer), blanc@avocats.example. Reason noted: Mandat du 3 mars',
    'Your invoices Invoice Due Amount Paid Credited State F-2026-0042 1 October 2026 €1,200.00 €200.00 €0.00 paid in part',
    'What you told us you would pay Invoice F-2026-0042: €1,000.00 by 15 December 2026 (open).',
    'What you disputed Invoice F-2026-0042, disputed on 2 November 2026 (accepted in part).',
    'Restriction (art. 18): received on 16 November 2026, to be answered by 16 December 2026.',
    'Your score is 41 of 195.',
    'keeps the case for 24 months, then erases it',
    'Your rights You can ask to correct your data',
    'Page 1 of',
  ])
    expect(text).toContain(said)
  expect(text).not.toMatch(/ vous | votre |données/)
})

it('says so where nothing is recorded, and where older lines are', async () => {
  const bare = await draw({
    people: [],
    invoices: [],
    promises: [],
    disputes: [],
    calls: [],
    requests: [],
    closed: [],
    lines: [],
  })
  expect(bare.text.match(/Rien n’est enregistré\./g)).toHaveLength(8)
  const lines = Array.from({ length: 201 }, () => some.lines[0]!)
  const long = await draw({ lines })
  expect(long.pages).toBeGreaterThan(3)
  expect(long.text.match(/Appel passé\./g)).toHaveLength(200)
  expect(long.text).toContain('Les lignes plus anciennes sont dans actions.json.')
})
