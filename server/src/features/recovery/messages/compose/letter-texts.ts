import type { LocalDate } from '../../../../domain/time.ts'
import { englishLabels } from './texts/english-blocks.ts'
import { longFrenchDate } from './texts/french-sms-and-calls.ts'
import type { Language } from './texts/labels.ts'
import { fr } from './texts/typography.ts'

export interface LetterTexts {
  lang: string
  title: string
  reference: string
  registered: string
  subject: string
  placeAndDate: (place: string, date: LocalDate) => string
  what: string
  sum: string
  qrCode: string
  /** Before the code that a person types. */
  byCode: (address: string) => string
  page: (page: number, pages: number) => string
}

export const letterTexts: Record<Language, LetterTexts> = {
  fr: {
    lang: 'fr-FR',
    title: 'Lettre',
    reference: fr`Référence :`,
    registered: 'Lettre recommandée avec avis de réception',
    subject: fr`Objet :`,
    placeAndDate: (place, date) =>
      place === '' ? `Le ${longFrenchDate(date)}` : `${place}, le ${longFrenchDate(date)}`,
    what: 'Somme',
    sum: 'Montant',
    qrCode: 'Lien vers votre dossier, à photographier avec un téléphone',
    byCode: address => fr`Scannez le carré, ou ouvrez ${address} et tapez ce code :`,
    page: (page, pages) => `Page ${page} sur ${pages}`,
  },
  en: {
    lang: 'en-GB',
    title: 'Letter',
    reference: 'Reference:',
    registered: 'Registered letter with acknowledgement of receipt',
    subject: 'Subject:',
    placeAndDate: (place, date) =>
      place === '' ? englishLabels.date(date) : `${place}, ${englishLabels.date(date)}`,
    what: 'Sum',
    sum: 'Amount',
    qrCode: 'Link to your case, to be read by a phone’s camera',
    byCode: address => `Scan the square, or open ${address} and type this code:`,
    page: (page, pages) => `Page ${page} of ${pages}`,
  },
}
