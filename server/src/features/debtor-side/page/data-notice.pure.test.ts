import { describe, expect, it } from 'vitest'
import { kandelMoles, sentencesOf, wordsOf } from '../../../../test/messages/readability.ts'
import { modelProviders } from '../../../adapters/model/settings.ts'
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
  recipients: recipientsOf(everything),
  keepMonths: 60,
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
