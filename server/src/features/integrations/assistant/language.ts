export type Language = 'fr' | 'en'

const typicalWords: Record<Language, ReadonlySet<string>> = {
  fr: new Set(
    'le la les un une des de du et est sont que qui quoi où quand comment combien pourquoi je tu il elle nous vous mon ma mes ce cette ces pas ne sur dans pour avec jusque relance relances facture factures débiteur envoie envoyer mets oui bonjour merci montre donne quel quelle quelles quels suspends jusqu au aux'.split(
      ' ',
    ),
  ),
  en: new Set(
    'the a an and is are of to what who where when how much many why i you he she we they my this that these not on in for with until reminder reminders invoice invoices debtor send put yes hello please thanks tell me about show give which it them'.split(
      ' ',
    ),
  ),
}

/** The language of the message, guessed from common words; else the first accepted one; else the company's. */
export function languageOf(message: string, accepted: string, fallback: Language): Language {
  const words = message.toLowerCase().match(/\p{L}+/gu) ?? []
  const score = (language: Language) => words.filter(word => typicalWords[language].has(word)).length
  const [fr, en] = [score('fr'), score('en')]
  if (fr !== en) return fr > en ? 'fr' : 'en'
  const first = /\b(fr|en)\b/i.exec(accepted)?.[1]?.toLowerCase()
  return first === 'fr' || first === 'en' ? first : fallback
}
