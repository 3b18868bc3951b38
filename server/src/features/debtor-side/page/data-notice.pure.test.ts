import { describe, expect, it } from 'vitest'
import { kandelMoles, sentencesOf, wordsOf } from '../../../../test/messages/readability.ts'
import { modelProviders } from '../../../adapters/model/settings.ts'
import { type CriterionCode, criterionCodes } from '../../../domain/score/score.ts'
import { type NoticeFacts, recipientsOf } from './notice-facts.ts'
import { englishNotice } from './texts/english-data-notice.ts'
import { frenchNotice } from './texts/french-data-notice.ts'

const everything = {
  email: 'brevo',
  sms: 'twilio',
  lrar: 'maileva',
  voice: 'twilio',
  payment: 'stripe',
  model: 'mistral',
}
const facts = (changes: Partial<NoticeFacts> = {}): NoticeFacts => ({
  creditor: 'Menuiserie Lambert',
  address: '12 rue des Forges, 69007 Lyon',
  contact: 'compta@lambert.example',
  telephone: '+33478000000',
  collector: null,
  type: 'consumer',
  operator: 'Exploitation Exemple SAS, 5 rue du Port, 44000 Nantes',
  host: 'Hébergement Exemple SA, 2 quai Sud, 59000 Lille',
  recipients: recipientsOf(everything),
  keepMonths: 60,
  keepReplyDays: 30,
  linkDays: 180,
  passMinutes: 30,
  ...changes,
})
const textOf = (notice: ReturnType<typeof frenchNotice>) =>
  notice
    .flatMap(({ title, paragraphs, points = [] }) => [title, ...paragraphs, ...points.flat()])
    .join('\n')
    .replaceAll('\u00a0', ' ')
const both = (changes: Partial<NoticeFacts> = {}) =>
  [textOf(frenchNotice(facts(changes))), textOf(englishNotice(facts(changes)))] as const

describe('the notice about data', () => {
  it('has a heading for each thing that art. 13 and 14 ask for, the rights among the first', () => {
    expect(frenchNotice(facts()).map(({ title }) => title)).toEqual([
      'Qui est responsable',
      'Vos droits',
      'Pourquoi, et sur quelle base',
      'Quelles données, et d’où elles viennent',
      'Messages automatiques et score de risque',
      'Si nous vous appelons',
      'Qui reçoit vos données',
      'Combien de temps',
      'Cette page',
    ])
    expect(englishNotice(facts())).toHaveLength(9)
  })

  it('names each right, and the condition of the right to object', () => {
    const [french, english] = both()
    for (const right of [
      'Accéder',
      'Rectifier',
      'Effacer',
      'Limiter',
      'S’opposer',
      'Récupérer',
      'CNIL',
      'art. 21',
    ])
      expect(french).toContain(right)
    for (const right of [
      'Access',
      'Correction',
      'Erasure',
      'Restriction',
      'Objection',
      'Portability',
      'CNIL',
      'art. 21',
    ])
      expect(english).toContain(right)
  })

  it('names the providers of this installation and no other, and those outside the Union apart', () => {
    const [french, english] = both()
    for (const text of [french, english])
      for (const name of ['Brevo (France)', 'Maileva (France)', 'Mistral AI (France)'])
        expect(text).toContain(name)
    expect(french).toMatch(/Hors de l’Union européenne\nTwilio et Stripe\./)
    expect(english).toMatch(/Outside the European Union\nTwilio and Stripe\./)
    const own = { recipients: recipientsOf({ email: 'smtp', sms: 'ovhcloud' }) }
    const [frenchOwn, englishOwn] = both(own)
    expect(frenchOwn).toContain('un serveur choisi par l’exploitant de Relance')
    expect(frenchOwn).toContain('Aucun prestataire nommé ici n’y a son siège.')
    for (const text of [frenchOwn, englishOwn]) {
      expect(text).toContain('OVHcloud (France)')
      expect(text).not.toMatch(/Brevo|Maileva|Twilio|Stripe|Mistral|appelons|call you|modèle|model/)
    }
  })

  it('knows every provider that can be configured, except servers whose place only the operator knows', () => {
    const unknown = [...modelProviders, 'smtp', 'brevo', 'ovhcloud', 'twilio', 'maileva', 'stripe'].filter(
      name => recipientsOf({ model: name })[0]!.provider === null,
    )
    expect(unknown).toEqual(['openai-compatible', 'smtp'])
  })

  it('names the collector where one writes, and the time bar of this kind of debtor', () => {
    for (const text of both({ collector: 'Cabinet Rivoire' })) expect(text).toContain('Cabinet Rivoire')
    for (const text of both()) expect(text).not.toContain('Cabinet Rivoire')
    expect(both({ type: 'consumer' })[0]).toContain('deux ans')
    expect(both({ type: 'business' })[0]).toContain('cinq ans')
    expect(both({ type: 'public_body' })[0]).toContain('quatre ans')
  })

  it('rests on a contract with a consumer only; a business or a public body can object to everything', () => {
    const [french, english] = both({ type: 'consumer' })
    expect(french).toContain('Le contrat qui vous lie à Menuiserie Lambert (art. 6, § 1, b du RGPD).')
    expect(english).toContain('Your contract with Menuiserie Lambert (art. 6(1)(b) GDPR).')
    for (const type of ['business', 'public_body'] as const) {
      const [frenchOther, englishOther] = both({ type })
      expect(frenchOther).not.toMatch(/contrat qui vous lie|§ 1, b|Récupérer/)
      expect(englishOther).not.toMatch(/Your contract|6\(1\)\(b\)|Portability/)
      expect(frenchOther).toContain(
        'L’intérêt légitime de Menuiserie Lambert à être payé par votre organisation (art. 6, § 1, f du RGPD). Vous pouvez vous y opposer pour des raisons tenant à votre situation.',
      )
      expect(englishOther).toContain(
        'The legitimate interest of Menuiserie Lambert in being paid by your organisation (art. 6(1)(f) GDPR). You can object on grounds relating to your situation.',
      )
      expect(frenchOther).toMatch(/S’opposer\nRefuser le recouvrement amiable/)
      expect(englishOther).toMatch(/Objection\nObject to amicable recovery/)
    }
  })

  it('has a word for each criterion of the score', () => {
    const words: Record<CriterionCode, readonly [french: string, english: string]> = {
      ageing: ['factures', 'invoices'],
      delay_history: ['paiements', 'payments'],
      bad_outcomes: ['factures', 'invoices'],
      exposure: ['factures', 'invoices'],
      open_count: ['factures', 'invoices'],
      silence: ['votre silence', 'your silence'],
      unreachable: ['La remise de nos messages', 'The delivery of our messages'],
      broken_promises: ['promesses', 'promises'],
      disputes: ['contestations', 'disputes'],
      payment_incidents: ['paiements', 'payments'],
      escalation_depth: ['l’étape atteinte', 'how far the reminders have gone'],
      partial_stall: ['paiements', 'payments'],
      trend: ['paiements', 'payments'],
    }
    const scoreIn = (text: string) => /^(Un score de 0 à 195|A score from 0 to 195).*$/m.exec(text)![0]
    const [french, english] = both().map(scoreIn) as [string, string]
    for (const code of criterionCodes) {
      expect(french).toContain(words[code][0])
      expect(english).toContain(words[code][1])
    }
    expect(french).toContain('Rien ne vient d’ailleurs.')
  })

  it('names the operator and the host, and never the software as a processor', () => {
    for (const text of both()) {
      expect(text).toContain('Exploitation Exemple SAS, 5 rue du Port, 44000 Nantes')
      expect(text).toContain('Hébergement Exemple SA, 2 quai Sud, 59000 Lille')
      expect(text).not.toMatch(/logiciel Relance les traite|software Relance processes/)
      expect(text).toMatch(/art\. 45 (et|and) 46/)
    }
  })

  it('says that there is a cookie where there is one', () => {
    expect(both({ passMinutes: null })).toEqual([
      expect.stringContaining('Elle ne pose aucun cookie.'),
      expect.stringContaining('It sets no cookie.'),
    ])
    for (const text of both()) expect(text).toMatch(/30 minutes/)
  })

  it('is French that is read once', () => {
    const prose = [facts(), facts({ collector: 'Cabinet Rivoire', address: null })]
      .flatMap(frenchNotice)
      .flatMap(({ paragraphs, points = [] }) => [...paragraphs, ...points.map(([, text]) => text)])
      .map(text => text.replaceAll(/\bart\. /g, 'art ').replaceAll(/: 3 place.*$/g, ''))
    const long = prose.flatMap(sentencesOf).filter(sentence => wordsOf(sentence).length > 25)
    expect(long).toEqual([])
    expect(kandelMoles(prose)).toBeGreaterThanOrEqual(45)
  })
})
