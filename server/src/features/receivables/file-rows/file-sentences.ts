import type { SheetErrorCode, SheetErrorDetail } from '../../../kit/sheets/sheet-error.ts'
import { fr } from '../../recovery/messages/compose/texts/typography.ts'
import type { Language } from './row-codes.ts'
import type { ImportField } from './row-fields.ts'

const inLine = ({ line }: SheetErrorDetail) => (line === undefined ? '' : ` à la ligne ${line}`)
const count = (limit = 0) => limit.toLocaleString('fr-FR')

/** Why a whole file is refused, in French. The English sentence is the message of the error itself. */
export const frenchSheetErrors: Readonly<Record<SheetErrorCode, (detail: SheetErrorDetail) => string>> = {
  file_too_large: ({ limit = 0 }) =>
    fr`Le fichier dépasse ${count(Math.floor(limit / 1024 / 1024))} Mo. Divisez-le en plusieurs fichiers.`,
  not_a_table: () => fr`Ce fichier n’est pas un tableau. Envoyez un fichier CSV, XLSX ou NDJSON.`,
  web_page: () =>
    fr`Ce fichier est une page web ou un fichier XML. Ouvrez-le dans Excel et enregistrez-le en .xlsx.`,
  old_excel_file: () => fr`Ce fichier a l’ancien format d’Excel (.xls). Enregistrez-le en .xlsx.`,
  encrypted_file: () => fr`Ce fichier est protégé par un mot de passe. Enregistrez-le sans mot de passe.`,
  has_macros: () => fr`Ce classeur contient des macros. Enregistrez-le en .xlsx, sans macros.`,
  not_a_workbook: () =>
    fr`Ce fichier est une archive, pas un classeur Excel. Enregistrez le tableau en .xlsx ou en CSV.`,
  damaged_file: detail =>
    fr`Le fichier est endommagé${inLine(detail)}. Ouvrez-le dans Excel, enregistrez-le et renvoyez-le.`,
  has_document_type: () =>
    fr`Ce classeur contient une définition que le logiciel Excel n’écrit jamais. Ouvrez-le dans Excel et enregistrez-le.`,
  too_many_parts: () => fr`Ce classeur a trop d’éléments. Copiez le tableau dans un nouveau classeur.`,
  unzips_too_large: () =>
    fr`Ce classeur est trop grand une fois décompressé. Divisez-le en plusieurs fichiers.`,
  compressed_too_much: () =>
    fr`Ce classeur est compressé plus qu’un tableau ne peut l’être. Enregistrez-le en CSV.`,
  too_many_shared_strings: () =>
    fr`Ce classeur contient trop de textes différents. Retirez les colonnes inutiles, ou enregistrez-le en CSV.`,
  too_many_rows: ({ limit }) =>
    fr`Le tableau dépasse ${count(limit)} lignes. Divisez-le en plusieurs fichiers.`,
  too_many_columns: detail =>
    fr`Le tableau dépasse ${count(detail.limit)} colonnes${inLine(detail)}. Retirez les colonnes inutiles.`,
  too_many_cells: ({ limit }) =>
    fr`Le tableau dépasse ${count(limit)} cellules, vides comprises. Copiez les lignes remplies dans un nouveau fichier.`,
  too_many_characters: ({ limit }) =>
    fr`Les cellules du tableau ont ensemble plus de ${count(limit)} caractères, un texte répété comptant chaque fois. Retirez les colonnes inutiles, ou divisez le fichier.`,
  cell_too_long: detail =>
    fr`Une cellule${inLine(detail)} dépasse ${count(detail.limit)} caractères. Raccourcissez-la. Dans un CSV, cherchez un guillemet non fermé.`,
  quote_not_closed: detail =>
    fr`Un guillemet ouvert${inLine(detail)} n’est pas fermé. Fermez-le ou retirez-le.`,
  bad_json_line: detail =>
    fr`Le texte${inLine(detail)} n’est pas un objet JSON. Chaque ligne doit en être un.`,
  too_deep: detail =>
    fr`Une valeur${inLine(detail)} est imbriquée sur plus de ${count(detail.limit)} niveaux. Envoyez des objets plats, un champ par colonne.`,
  no_data: () => fr`Le fichier ne contient aucune donnée.`,
  memory_limit: () =>
    fr`La lecture du fichier demande trop de mémoire. Divisez-le, ou enregistrez-le en CSV.`,
  time_limit: () => fr`La lecture du fichier prend trop de temps. Divisez-le, ou enregistrez-le en CSV.`,
  reader_failed: () =>
    fr`Le fichier n’a pas pu être lu, à cause d’une panne de notre côté. Renvoyez-le plus tard.`,
}

export const frenchStorageFull = fr`Les lignes de ce fichier dépassent la place dont votre entreprise dispose pour ses fichiers et ses imports. Annulez les imports à vérifier, attendez la suppression des fichiers (un jour) et des imports terminés (30 jours), ou demandez plus de place à l’opérateur.`

export const frenchFileDeleted = fr`Le fichier a été supprimé pendant son arrivée : une personne a été effacée, ou l’environnement de test a été remis à zéro. Envoyez-le de nouveau.`

/** The names of the fields in sentences. */
export const fieldNames: Readonly<Record<ImportField, Readonly<Record<Language, string>>>> = {
  invoiceNumber: { fr: 'Numéro de facture', en: 'Invoice number' },
  amount: { fr: 'Montant TTC', en: 'Amount including tax' },
  balance: { fr: 'Reste à payer', en: 'Balance due' },
  paid: { fr: 'Montant réglé', en: 'Amount paid' },
  amountCents: { fr: 'Montant en centimes', en: 'Amount in cents' },
  balanceCents: { fr: 'Reste à payer en centimes', en: 'Balance in cents' },
  paidCents: { fr: 'Montant réglé en centimes', en: 'Amount paid in cents' },
  currency: { fr: 'Devise', en: 'Currency' },
  issueDate: { fr: 'Date de facture', en: 'Invoice date' },
  dueDate: { fr: 'Date d’échéance', en: 'Due date' },
  suppliedOn: { fr: 'Date de livraison ou de prestation', en: 'Date of supply' },
  status: { fr: 'Statut', en: 'Status' },
  description: { fr: 'Objet', en: 'Description' },
  'debtor.id': { fr: 'Identifiant Relance', en: 'debtor.id' },
  'debtor.name': { fr: 'Nom du client', en: 'Customer name' },
  'debtor.firstName': { fr: 'Prénom', en: 'First name' },
  'debtor.email': { fr: 'E-mail', en: 'Email' },
  'debtor.phone': { fr: 'Téléphone', en: 'Phone' },
  'debtor.mobile': { fr: 'Téléphone mobile', en: 'Mobile phone' },
  'debtor.siret': { fr: 'SIRET', en: 'SIRET' },
  'debtor.siren': { fr: 'SIREN', en: 'SIREN' },
  'debtor.address': { fr: 'Adresse', en: 'Address' },
  'debtor.addressMore': { fr: 'Complément d’adresse', en: 'Address line 2' },
  'debtor.postalCode': { fr: 'Code postal', en: 'Postal code' },
  'debtor.city': { fr: 'Ville', en: 'City' },
  'debtor.country': { fr: 'Pays', en: 'Country' },
  'debtor.type': { fr: 'Type de client', en: 'Customer type' },
  'debtor.language': { fr: 'Langue', en: 'Language' },
}

/** Why the columns of a file cannot be used as they are. */
export const headerFaults = {
  header_not_found: {
    fr: () =>
      fr`Aucune ligne de titres n’a été trouvée. Mettez les titres des colonnes au-dessus des factures.`,
    en: () => 'No row with titles was found. Put the titles of the columns above the invoices.',
  },
  column_missing: {
    fr: ({ field }: { field: ImportField }) =>
      fr`La colonne « ${fieldNames[field].fr} » manque. Ajoutez-la, ou dites quelle colonne la contient.`,
    en: ({ field }: { field: ImportField }) =>
      `The column “${fieldNames[field].en}” is missing. Add it, or say which column has it.`,
  },
  column_ambiguous: {
    fr: ({ field, titles }: { field: ImportField; titles: readonly string[] }) =>
      fr`Plusieurs colonnes peuvent être « ${fieldNames[field].fr} » : ${titles.join(', ')}. Dites laquelle.`,
    en: ({ field, titles }: { field: ImportField; titles: readonly string[] }) =>
      `Several columns can be “${fieldNames[field].en}”: ${titles.join(', ')}. Say which one.`,
  },
} as const
