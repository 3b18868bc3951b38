import { describe, expect, it } from 'vitest'
import { foreignPaymentIn, paymentDetailsIn } from './payment-details.ts'

const kindsIn = (text: string) => [...new Set(paymentDetailsIn(text).map(({ kind }) => kind))]

describe('a link', () => {
  it.each([
    'Réglez sur https://evil.example/pay',
    'Réglez sur HTTPS : / / evil.example',
    'Réglez sur hxxps://evil[.]example',
    'Pay at evil.example/pay',
    'Pay at EVIL.Example',
    'Pay at evil．example',
    'Pay at evil。example',
    'Pay at evil․example',
    'Pay at ev\u200bil.exa\u00admple',
    'Pay at еvil.ехample',
    'Pay at evil (dot) example',
    'Pay at evil dot com',
    'Réglez sur evil point fr',
    'Pay at evil . com',
    'Pay at evil. com',
    'Pay at www evil com',
    'Pay at 203.0.113.7/pay',
    'Pay at пример.рф',
    'Write to caisse@evil.example',
    'Write to caisse (at) evil.example',
    'evil{{reference}}.example',
    'xn--80ak6aa92e.com',
  ])('is found in “%s”', text => {
    expect(kindsIn(text)).toEqual(['link'])
  })
})

describe('an account', () => {
  it.each([
    'Notre RIB a changé : DE89370400440532013000',
    'DE89 3704 0044 0532 0130 00',
    'de89.3704.0044.0532.0130.00',
    'D E 8 9 3 7 0 4 0 0 4 4 0 5 3 2 0 1 3 0 0 0',
    'ＤＥ８９ ３７０４ ００４４ ０５３２ ０１３０ ００',
    'DE89\u00a03704\u200b0044-0532_0130*00',
    'FR14 2004 1010 0505 0001 3M02 606',
    'FR15 2004 1010 0505 0001 3M02 606',
    'Compte 20041 01005 0500013M026 06',
    'RIB : 30006 00001 12345678901 89',
    'Sort code 12-34-56, account number 12345678',
    'Envoyez à bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh',
  ])('is found in “%s”', text => {
    expect(kindsIn(text)).toEqual(['account'])
  })
})

it.each([
  'Bonjour {{debtor}}, {{sum}} depuis le {{dueDate}}.',
  'Nous nous permettons de vous rappeler, pour {{creditor}}, la facture suivante :',
  'M. Durand, S.A.R.L. au capital de 10.000,00 €, c.-à-d. nous : appelez le 01 23 45 67 89.',
  'Call us on +33 1 23 45 67 89, Mon.–Fri., 9.00 a.m. to 5.30 p.m.',
  'Votre facture du 16.11.2026... merci !',
  'SIRET 732 829 320 00074, TVA FR 40 303265045, article L. 441-10.',
  'De 16 novembre 2026 au 30 novembre 2026, les bureaux sont fermés. De rien.',
  'Le point de vente est ouvert. Il est temps de régler.',
  'Un virement suffit; notre compte figure ci-dessous.',
])('“%s” holds neither', text => {
  expect(paymentDetailsIn(text)).toEqual([])
})

describe('in the data of an invoice or a debtor', () => {
  it.each([
    'F-1 NOUVEAU RIB DE89 3704 0044 0532 0130 00',
    'DE89370400440532013000',
    'FR①④ ②⓪⓪④ ①⓪①⓪ ⓪⑤⓪⑤ ⓪⓪⓪① ③M⓪② ⑥⓪⑥',
    'N O 9 3 8 6 0 1 1 1 1 7 9 4 7',
    'F-2 https://evil.example/pay',
    'F-2 hxxps : / / evil.example',
    'Voir http：//evil.example',
    '4 rue des Tanneurs\nDE89 3704 0044 0532 0130 00\nLyon',
    '69005\nhttps://evil.example',
    '2https://evil.example',
    'F-2 WWW.evil.example/pay',
    'Régler sur evil.example/pay',
    'paypal.me/mallory',
    'Voir bit.ly/abc',
    'evil。example／pay',
    'evil.ex\u00adample/pay',
  ])('“%s” holds an account or a link', text => {
    expect(foreignPaymentIn(text)).toHaveLength(1)
  })

  // Names and numbers have dots, digits and domains for good reasons.
  it.each([
    'F-2026-0042',
    'FA20260000123456789',
    'FR2026000012345678901234567',
    '2026.FAC.0001',
    'Booking.com B.V.',
    'www.durand.fr SARL',
    'Refonte du site durand.fr, mars 2026 : 12 jours',
    'Abonnement 01/10/2026 - 31/10/2026, contrat 123456789012345678',
    '4 rue des Tanneurs\n69005 Lyon',
    'SIRET 732 829 320 00074, TVA FR 40 303265045',
    'Cmd: 4500123456/10 // lot 2',
    'FA.DIV/2026-01',
    'Booking.com / Agoda',
    'S.A.R.L. Petit/Grand',
  ])('“%s” holds neither', text => {
    expect(foreignPaymentIn(text)).toEqual([])
  })
})
