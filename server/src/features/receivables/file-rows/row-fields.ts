/** What a column of a file can be. Several of them may make one field of an invoice: amount, balance and paid, for example. */
export const importFields = [
  'invoiceNumber',
  'amount',
  'balance',
  'paid',
  'amountCents',
  'balanceCents',
  'paidCents',
  'currency',
  'issueDate',
  'dueDate',
  'suppliedOn',
  'status',
  'description',
  'debtor.id',
  'debtor.name',
  'debtor.firstName',
  'debtor.email',
  'debtor.phone',
  'debtor.mobile',
  'debtor.siret',
  'debtor.siren',
  'debtor.address',
  'debtor.addressMore',
  'debtor.postalCode',
  'debtor.city',
  'debtor.country',
  'debtor.type',
  'debtor.language',
] as const
export type ImportField = (typeof importFields)[number]

/** By the number of the column, counted from 0. */
export type ColumnMapping = Readonly<Partial<Record<ImportField, number>>>

/**
 * How accounting programs name their columns. `sure` has one meaning; a column with a sure name wins over a `likely` one.
 * Sage, Cegid, EBP, Pennylane and QuickBooks, and the names of our own API.
 */
export const columnTitles: Readonly<Record<ImportField, { sure: string; likely?: string }>> = {
  invoiceNumber: {
    sure: 'Numéro de facture, Facture n°, Numéro de pièce, Numéro de document, Réf facture, Référence de facture, N° pièce comptable, N° fact, Réf fact, Invoice number, Invoice #, Document number',
    likely: 'Numéro, Facture, Pièce, Réf pièce, Référence, Document, Invoice, Transaction number',
  },
  amount: {
    sure: 'Montant TTC, Total TTC, TTC, Net à payer, Montant total TTC, Montant facture TTC, Prix TTC, Amount incl tax, Amount including tax, Gross amount, Total incl VAT, Total including tax, Total incl tax',
    likely:
      'Montant, Total, Montant facture, Total facture, Montant total, Débit, Amount, Total amount, Invoice amount, Invoice total',
  },
  balance: {
    sure: 'Solde dû, Reste à payer, Reste dû, Solde restant dû, Montant restant dû, Restant dû, Montant dû, Solde à payer, Reste à régler, Restant à payer, Solde TTC, Montant impayé, Solde restant, Montant restant, Balance due, Open balance, Amount due, Outstanding amount, Amount outstanding, Open amount, Remaining amount',
    likely: 'Solde, Reste, Restant, Impayé, Balance, Outstanding',
  },
  paid: {
    sure: 'Montant réglé, Montant payé, Déjà réglé, Déjà payé, Montant encaissé, Total réglé, Total payé, Amount paid, Paid amount',
    likely: 'Réglé, Payé, Encaissé, Acompte, Acomptes, Règlements, Paid',
  },
  amountCents: { sure: 'amountCents, Montant en centimes, Amount in cents' },
  balanceCents: { sure: 'balanceCents, Reste à payer en centimes, Balance in cents' },
  paidCents: { sure: 'paidCents, Montant réglé en centimes, Amount paid in cents' },
  currency: {
    sure: 'Devise, Code devise, Monnaie, Code monnaie, Devise facture, Devise de facturation, Devise du document, Monnaie de facturation, Currency, Currency code, Invoice currency, Billing currency',
    likely: 'Dev',
  },
  issueDate: {
    sure: 'Date de facture, Date d’émission, Date de facturation, Date de pièce, Date du document, Date d’établissement, Émise le, Date fact, Invoice date, Issue date, Billing date, Date of issue',
    likely: 'Date, Émission, Date comptable',
  },
  dueDate: {
    sure: 'Date d’échéance, Échéance, Date limite de paiement, Date limite de règlement, À payer avant le, Date échéance facture, Date éch, Due date, Payment due date, Date due',
    likely: 'Date limite, Éch, Due',
  },
  // A day that is only planned is none: a title with more words in it, such as "prévue", is not read.
  suppliedOn: {
    sure: 'suppliedOn, Date de livraison ou de prestation, Date de fin de prestation, Fin de prestation, Date de fin des travaux',
    likely:
      'Date de livraison, Livrée le, Livré le, Date de prestation, Date de réalisation, Date d’exécution, Date de la vente, Date of supply, Supplied on, Delivery date, Delivered on, Service date, Completion date',
  },
  status: {
    sure: 'Statut, Statut de paiement, Statut facture, État de la facture, État du paiement, Type de pièce, Type de document, Status, Payment status, Invoice status, Document type, Transaction type',
    likely: 'État',
  },
  description: {
    sure: 'Description, Objet, Libellé, Désignation, Libellé facture, Objet de la facture, Memo, Subject',
    likely: 'Intitulé, Label',
  },
  'debtor.id': { sure: 'debtor.id, Identifiant Relance, Id Relance' },
  'debtor.name': {
    sure: 'Raison sociale, Nom du client, Nom ou raison sociale, Raison sociale client, Dénomination, Dénomination sociale, Nom du débiteur, Nom du tiers, Intitulé du tiers, Intitulé client, Nom de l’entreprise, Nom de la société, Customer name, Client name, Company name, debtor.name',
    likely:
      'Client, Débiteur, Tiers, Société, Entreprise, Nom, Destinataire, Customer, Company, Debtor, Name',
  },
  'debtor.firstName': { sure: 'Prénom, Prénom du client, First name' },
  'debtor.email': {
    sure: 'E-mail, Mail, Email, Adresse e-mail, Adresse mail, Adresse email, Courriel, Adresse électronique, E-mail client, Email client, Mail client, E-mail de facturation, Email de facturation, Customer email, Email address, Contact email, Billing email, debtor.email',
  },
  'debtor.phone': {
    sure: 'Téléphone, Tél, Numéro de téléphone, Téléphone fixe, Tél fixe, Téléphone client, Téléphone 1, Phone, Phone number, Telephone number, debtor.phone',
  },
  'debtor.mobile': {
    sure: 'Portable, Mobile, Téléphone portable, Téléphone mobile, Tél portable, Tél mobile, GSM, Numéro de portable, Mobile phone, Mobile number',
  },
  'debtor.siret': { sure: 'SIRET, Numéro SIRET, SIRET client, Code SIRET, SIRET number, debtor.siret' },
  'debtor.siren': { sure: 'SIREN, Numéro SIREN, SIREN client, Code SIREN' },
  'debtor.address': {
    sure: 'Adresse, Adresse postale, Adresse 1, Adresse de facturation, Adresse client, Adresse ligne 1, Rue, Voie, Address, Street, Billing address, Address line 1, debtor.address',
  },
  'debtor.addressMore': {
    sure: 'Adresse 2, Complément d’adresse, Adresse ligne 2, Address line 2',
    likely: 'Complément',
  },
  'debtor.postalCode': {
    sure: 'Code postal, CP, Code postal client, Postal code, Zip, Zip code, Postcode, debtor.postalCode',
  },
  'debtor.city': { sure: 'Ville, Commune, Localité, Ville client, City, Town, debtor.city' },
  'debtor.country': { sure: 'Pays, Code pays, Pays client, Country, Country code, debtor.country' },
  'debtor.type': { sure: 'Type de client, Type client, Type de débiteur, Customer type, debtor.type' },
  'debtor.language': { sure: 'Langue, Language, debtor.language' },
}

/** The longest cell of each column, with the spaces and line breaks around its value. A longer one is refused before it is read. */
export const cellMax: Readonly<Record<ImportField, number>> = {
  invoiceNumber: 200,
  amount: 100,
  balance: 100,
  paid: 100,
  amountCents: 100,
  balanceCents: 100,
  paidCents: 100,
  currency: 50,
  issueDate: 100,
  dueDate: 100,
  suppliedOn: 100,
  status: 200,
  description: 1_000,
  'debtor.id': 100,
  'debtor.name': 400,
  'debtor.firstName': 400,
  // Two addresses; the first is taken.
  'debtor.email': 600,
  'debtor.phone': 200,
  'debtor.mobile': 200,
  'debtor.siret': 100,
  'debtor.siren': 100,
  'debtor.address': 600,
  'debtor.addressMore': 600,
  'debtor.postalCode': 100,
  'debtor.city': 200,
  'debtor.country': 100,
  'debtor.type': 100,
  'debtor.language': 100,
}

/** Longer titles are cut. */
export const titleMax = 200

/** Words that give a title another meaning, although it contains a name from above. */
export const otherMeanings = new Set(
  'ht hors taxe taxes tva vat tax excl code compte account taux rate remise discount avoir credit livraison delivery commande order commercial creation modification relance reglement paiement payment journal lettrage numero iban bic k ke keur m meur millier milliers million millions thousand thousands centime centimes cent cents cts'.split(
    ' ',
  ),
)

/** An invoice needs one field of each group. */
export const requiredFields: readonly (readonly ImportField[])[] = [
  ['invoiceNumber'],
  ['amount', 'balance', 'amountCents', 'balanceCents'],
  ['issueDate'],
  ['dueDate'],
  ['debtor.name', 'debtor.id'],
  ['debtor.email', 'debtor.id'],
]
