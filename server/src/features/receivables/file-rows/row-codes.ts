import { fr } from '../../recovery/messages/compose/texts/typography.ts'

export type Language = 'fr' | 'en'

/** The values that a sentence names: the title of the column, the content of the cell, and other lines of the file. */
export interface Place {
  title: string
  value: string
  lines?: string
}

export interface Sentences {
  fr: (place: Place) => string
  en: (place: Place) => string
}

const shown = ({ title, value }: Place) => ({
  title,
  value: value.length > 60 ? `${value.slice(0, 60)}…` : value,
})
const inFrench = (place: Place) => {
  const { title, value } = shown(place)
  return fr`Colonne « ${title} », valeur « ${value} » :`
}
const inEnglish = (place: Place) => {
  const { title, value } = shown(place)
  return `Column “${title}”, value “${value}”:`
}
const about = (french: string, english: string): Sentences => ({
  fr: place => `${inFrench(place)} ${french}`,
  en: place => `${inEnglish(place)} ${english}`,
})

/** Why a row is refused. Each sentence says what to do next. The list is closed. */
export const rowFaults = {
  value_missing: {
    fr: ({ title }) =>
      fr`La colonne « ${title} » est vide. Remplissez-la ; si des cellules sont fusionnées, défusionnez-les.`,
    en: ({ title }) => `The column “${title}” is empty. Fill it in; if cells are merged, unmerge them.`,
  },
  cell_error: about(
    fr`cette cellule contient une erreur d’Excel. Corrigez-la, puis enregistrez le fichier.`,
    'this cell contains an error of Excel. Correct it, then save the file.',
  ),
  formula_without_value: about(
    fr`cette formule n’a pas de résultat enregistré. Ouvrez le fichier dans Excel, enregistrez-le, puis renvoyez-le.`,
    'this formula has no stored result. Open the file in Excel, save it and send it again.',
  ),
  amount_not_a_number: about(
    fr`ce n’est pas un montant. Écrivez-le par exemple 1 234,56.`,
    'this is not an amount. Write it as 1,234.56, for example.',
  ),
  amount_ambiguous: about(
    fr`ce montant peut se lire de deux façons. Écrivez-le avec deux décimales.`,
    'this amount can be read in two ways. Write it with two decimals.',
  ),
  amount_decimals: about(
    fr`ce montant a plus de deux décimales. Arrondissez-le au centime.`,
    'this amount has more than two decimals. Round it to cents.',
  ),
  amount_unit_unknown: about(
    fr`le format de cette cellule affiche une unité qui n’est pas une devise acceptée. Écrivez le montant en entier, et le code de sa devise.`,
    'the number format of this cell shows a unit that is no accepted currency. Write the whole amount, and the code of its currency.',
  ),
  amount_in_thousands: about(
    fr`le fichier dit que ses montants sont en milliers ou en millions. Écrivez-les en entier.`,
    'the file says that its amounts are in thousands or millions. Write them in full.',
  ),
  amount_too_large: about(
    fr`ce montant dépasse 10 milliards. Vérifiez-le.`,
    'this amount is above 10 billion. Check it.',
  ),
  amount_zero: about(
    fr`le montant est nul. Retirez cette ligne ou corrigez le montant.`,
    'the amount is zero. Remove this row or correct the amount.',
  ),
  amount_negative: about(
    fr`le montant est négatif. Retirez cette ligne. Si c’est un avoir, enregistrez-le sur sa facture.`,
    'the amount is negative. Remove this row. If it is a credit note, record it on its invoice.',
  ),
  balance_missing: {
    fr: ({ title }) =>
      fr`La colonne « ${title} » est vide. Indiquez ce qui reste à payer, ou 0 si tout est payé.`,
    en: ({ title }) => `The column “${title}” is empty. Give what is left to pay, or 0 if all is paid.`,
  },
  balance_above_amount: about(
    fr`le reste à payer dépasse le montant de la facture. Corrigez l’un des deux.`,
    'what is left to pay is above the amount of the invoice. Correct one of them.',
  ),
  currency_unknown: about(
    fr`cette devise n’est pas acceptée. Écrivez son code, par exemple EUR.`,
    'this currency is not accepted. Write its code, such as EUR.',
  ),
  currency_ambiguous: about(
    fr`plusieurs devises ont ce signe. Écrivez le code de la devise, par exemple USD ou CAD.`,
    'several currencies have this sign. Write the code of the currency, such as USD or CAD.',
  ),
  currency_conflict: about(
    fr`la ligne ou le fichier nomme plusieurs devises pour ce montant. Gardez-en une seule.`,
    'the row or the file names several currencies for this amount. Keep one of them.',
  ),
  date_not_a_day: about(
    fr`ce n’est pas une date entre 1990 et 2100. Écrivez-la par exemple 12/03/2026.`,
    'this is not a date between 1990 and 2100. Write it as 2026-03-12, for example.',
  ),
  date_ambiguous: about(
    fr`le jour et le mois peuvent être inversés. Écrivez la date sous la forme 2026-03-12.`,
    'day and month may be exchanged. Write the date as 2026-03-12.',
  ),
  date_with_zone: about(
    fr`cette heure a un fuseau : le jour dépend du lieu. Écrivez seulement le jour, par exemple 2026-03-12.`,
    'this time has a time zone, so that the day depends on the place. Write the day alone, such as 2026-03-12.',
  ),
  due_before_issue: about(
    fr`l’échéance précède la date de la facture. Corrigez l’une des deux dates.`,
    'the due date is before the date of the invoice. Correct one of them.',
  ),
  email_invalid: about(
    fr`ce n’est pas une adresse e-mail. Écrivez-la par exemple compta@exemple.fr.`,
    'this is not an email address. Write it as accounts@example.com, for example.',
  ),
  phone_unreadable: about(
    fr`ce numéro de téléphone n’est pas lisible. Écrivez-le avec son indicatif, par exemple +33 6 12 34 56 78.`,
    'this phone number cannot be read. Write it with its country code, such as +33 6 12 34 56 78.',
  ),
  siret_digits_lost: about(
    fr`Excel a remplacé des chiffres du SIRET. Mettez la colonne au format Texte, puis exportez le SIRET à nouveau.`,
    'Excel has replaced digits of the SIRET. Format the column as text, then export the SIRET again.',
  ),
  siret_length: about(
    fr`un SIRET a 14 chiffres. Complétez-le ou videz la cellule.`,
    'a SIRET has 14 digits. Complete it or empty the cell.',
  ),
  siret_check_digit: about(
    fr`ce SIRET contient une erreur de frappe. Corrigez-le ou videz la cellule.`,
    'this SIRET contains a typing error. Correct it or empty the cell.',
  ),
  postal_code_unreadable: about(
    fr`un code postal français a cinq chiffres. Corrigez-le, ou indiquez le pays.`,
    'a French postal code has five digits. Correct it, or give the country.',
  ),
  country_unknown: about(
    fr`ce pays n’est pas connu. Écrivez son code de deux lettres, par exemple FR.`,
    'this country is not known. Write its code of two letters, such as FR.',
  ),
  type_unknown: about(
    fr`ce type de client n’est pas connu. Écrivez entreprise, particulier ou public.`,
    'this type of customer is not known. Write business, consumer or public.',
  ),
  language_unknown: about(
    fr`cette langue n’est pas connue. Écrivez fr ou en.`,
    'this language is not known. Write fr or en.',
  ),
  duplicate_number: {
    fr: ({ value, lines = '' }) =>
      fr`La facture ${value} apparaît plusieurs fois avec des contenus différents (lignes ${lines}). Gardez une seule ligne par facture.`,
    en: ({ value, lines = '' }) =>
      `The invoice ${value} appears several times with different contents (lines ${lines}). Keep one row per invoice.`,
  },
  text_too_long: about(fr`ce texte est trop long. Raccourcissez-le.`, 'this text is too long. Shorten it.'),
  payment_details: about(
    fr`ce texte contient un lien ou un compte bancaire. Retirez-le : les débiteurs voient seulement ceux de vos réglages.`,
    'this text contains a link or a bank account. Remove it: debtors are shown only those of your settings.',
  ),
  value_not_allowed: about(
    fr`cette valeur n’est pas acceptée. Corrigez-la.`,
    'this value is not accepted. Correct it.',
  ),
} as const satisfies Record<string, Sentences>
export type RowFaultCode = keyof typeof rowFaults

/** What was changed so that a row can be imported. Another spelling of the same value is not named. */
export const rowHeals = {
  amount_rounded: about(fr`arrondi au centime.`, 'rounded to cents.'),
  amount_by_column: about(
    fr`le signe sépare les milliers, comme le montrent les autres lignes de la colonne.`,
    'the sign divides thousands, as the other rows of the column show.',
  ),
  balance_taken: about(
    fr`une partie est déjà payée ; seul le reste à payer est importé.`,
    'a part is paid already; only what is left to pay is imported.',
  ),
  date_by_column: about(
    fr`le mois est écrit en premier, comme le montrent les autres lignes.`,
    'the month is written first, as the other rows show.',
  ),
  date_day_first: about(
    fr`le jour est lu avant le mois, comme en France ; rien dans le fichier ne le prouve. Vérifiez cette date.`,
    'the day is read before the month, as in France; nothing in the file proves it. Check this date.',
  ),
  date_from_serial: about(
    fr`numéro de jour d’Excel, lu comme une date.`,
    'number of a day of Excel, read as a date.',
  ),
  year_completed: about(fr`année complétée à quatre chiffres.`, 'year completed to four digits.'),
  email_cleaned: about(fr`adresse e-mail nettoyée.`, 'email address cleaned.'),
  first_taken: about(
    fr`plusieurs valeurs dans la cellule ; la première est importée.`,
    'several values in the cell; the first is imported.',
  ),
  phone_completed: about(fr`indicatif du pays ajouté.`, 'country code added.'),
  phone_zero_restored: about(
    fr`le zéro initial manquait ; le numéro est lu comme un numéro français.`,
    'the leading zero was missing; the number is read as a French one.',
  ),
  siret_padded: about(
    fr`les zéros du début manquaient et sont rétablis.`,
    'the leading zeros were missing and are restored.',
  ),
  siren_only: about(
    fr`c’est un SIREN, pas un SIRET ; la facture est importée sans SIRET.`,
    'this is a SIREN and no SIRET; the invoice is imported without a SIRET.',
  ),
  postal_code_padded: about(
    fr`le zéro du début manquait et est rétabli.`,
    'the leading zero was missing and is restored.',
  ),
  placeholder_left_out: about(
    fr`cette mention ne donne pas de valeur ; la cellule est lue comme vide.`,
    'this gives no value; the cell is read as empty.',
  ),
} as const satisfies Record<string, Sentences>
export type RowHealCode = keyof typeof rowHeals

/** Rows that are no invoices to recover. */
export const rowSkips = {
  blank_row: { fr: () => fr`Ligne vide.`, en: () => 'Blank row.' },
  hidden_row: {
    fr: () => fr`Ligne masquée dans Excel. Affichez-la pour l’importer.`,
    en: () => 'Row that is hidden in Excel. Show it to import it.',
  },
  repeated_header: { fr: () => fr`Titres répétés.`, en: () => 'Titles that are repeated.' },
  repeated_row: {
    fr: ({ lines = '' }) => fr`Cette ligne répète la ligne ${lines}.`,
    en: ({ lines = '' }) => `This row repeats line ${lines}.`,
  },
  total_row: { fr: () => fr`Ligne de total.`, en: () => 'Row with a total.' },
  note_row: {
    fr: () => fr`Ligne sans numéro, sans date et sans montant.`,
    en: () => 'Row without a number, a date and an amount.',
  },
  already_paid: { fr: () => fr`Facture déjà payée.`, en: () => 'Invoice that is paid already.' },
  not_an_open_invoice: {
    fr: () => fr`Avoir, brouillon ou facture annulée.`,
    en: () => 'Credit note, draft or cancelled invoice.',
  },
} as const satisfies Record<string, Sentences>
export type RowSkipCode = keyof typeof rowSkips

/** The result of reading a cell: a value, with what had to be changed to read it; or why it cannot be read. */
export type CellVerdict<T> = { value: T; healed?: RowHealCode } | { fault: RowFaultCode }
