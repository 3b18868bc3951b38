import type { LocalDate } from '../../../../domain/time.ts'
import { englishLabels } from '../texts/english-blocks.ts'
import { longFrenchDate } from '../texts/french-sms-and-calls.ts'
import type { Language } from '../texts/message-content.ts'

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
  page: (page: number, pages: number) => string
}

export const letterTexts: Record<Language, LetterTexts> = {
  fr: {
    lang: 'fr-FR',
    title: 'Lettre',
    reference: 'Référence :',
    registered: 'Lettre recommandée avec avis de réception',
    subject: 'Objet :',
    placeAndDate: (place, date) =>
      place === '' ? `Le ${longFrenchDate(date)}` : `${place}, le ${longFrenchDate(date)}`,
    what: 'Somme',
    sum: 'Montant',
    qrCode: 'Le même lien, à photographier avec un téléphone',
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
    qrCode: 'The same link, to be read by a phone’s camera',
    page: (page, pages) => `Page ${page} of ${pages}`,
  },
}
