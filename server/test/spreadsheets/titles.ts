/** What a column of a drawn file holds; `noise` is nothing that an import reads. */
export type DrawnField =
  | 'number'
  | 'name'
  | 'firstName'
  | 'email'
  | 'issued'
  | 'due'
  | 'net'
  | 'tax'
  | 'gross'
  | 'balance'
  | 'paid'
  | 'debit'
  | 'credit'
  | 'currency'
  | 'untitledCurrency'
  | 'phone'
  | 'siret'
  | 'siren'
  | 'address'
  | 'postalCode'
  | 'city'
  | 'country'
  | 'status'
  | 'description'
  | 'noise'

/** The titles of accounting programs in France: Sage, Cegid, EBP, Ciel, Pennylane, QuickBooks, Axonaut, Sellsy, Zoho and own tables. */
export const frenchTitles: Readonly<Record<DrawnField, readonly string[]>> = {
  number: [
    'N° facture',
    'N° de facture',
    'Numéro de facture',
    'Numéro facture',
    'Facture n°',
    'Facture N°',
    'N° Fact.',
    'Num. facture',
    'Num facture',
    'NumFacture',
    'num_facture',
    'No facture',
    'Réf. facture',
    'Référence facture',
    'N° pièce',
    'N° de pièce',
    'Numéro de pièce',
    'Pièce',
    'N° de document',
    'Numéro',
    'Facture',
    'NUMERO FACTURE',
    'N°FACTURE',
  ],
  name: [
    'Client',
    'Nom du client',
    'Nom client',
    'Raison sociale',
    'Raison sociale client',
    'RAISON SOCIALE',
    'Nom / Raison sociale',
    'Tiers',
    'Nom du tiers',
    'Intitulé du tiers',
    'Intitulé client',
    'Débiteur',
    'Société',
    'Dénomination',
    'Nom',
  ],
  firstName: ['Prénom', 'Prénom du client', 'PRENOM'],
  email: [
    'E-mail',
    'Email',
    'Mail',
    'Adresse e-mail',
    'Adresse mail',
    'Adresse email',
    'Courriel',
    'E-mail client',
    'Email client',
    'E-mail de facturation',
    'EMAIL',
    'email_client',
  ],
  issued: [
    'Date de facture',
    'Date facture',
    'Date de la facture',
    'Date de facturation',
    'Date d’émission',
    "Date d'émission",
    'Date émission',
    'Date',
    'Date de pièce',
    'Date pièce',
    'Date du document',
    'Émise le',
    'DATE FACTURE',
    'date_facture',
    'DateFacture',
  ],
  due: [
    'Échéance',
    'Date d’échéance',
    "Date d'échéance",
    'Date échéance',
    'Date d’échéance de la facture',
    'Date limite de paiement',
    'À payer avant le',
    'Ech.',
    'Echéance',
    'ECHEANCE',
    'date_echeance',
    'DateEcheance',
  ],
  net: ['Montant HT', 'Total HT', 'HT', 'Montant hors taxes', 'Base HT', 'Total H.T.'],
  tax: ['TVA', 'Montant TVA', 'Total TVA', 'T.V.A.'],
  gross: [
    'Montant TTC',
    'Total TTC',
    'TTC',
    'Montant total TTC',
    'Montant facture TTC',
    'Net à payer',
    'Total T.T.C.',
    'MONTANT TTC',
    'montant_ttc',
    'MontantTTC',
    'Montant',
    'Total',
    'Montant facture',
    'Montant de la facture',
  ],
  balance: [
    'Reste à payer',
    'Reste dû',
    'Solde dû',
    'Solde',
    'Restant dû',
    'Montant restant dû',
    'Montant dû',
    'Solde restant dû',
    'Reste à régler',
    'RESTE A PAYER',
    'reste_a_payer',
    'Impayé',
  ],
  paid: ['Montant réglé', 'Déjà réglé', 'Réglé', 'Acompte', 'Montant payé', 'Encaissé', 'Règlements'],
  debit: ['Débit', 'DEBIT'],
  credit: ['Crédit', 'CREDIT'],
  currency: [
    'Devise',
    'Code devise',
    'Monnaie',
    'DEVISE',
    'Devise facture',
    'Dev.',
    'Monnaie de facturation',
  ],
  untitledCurrency: [''],
  phone: [
    'Téléphone',
    'Tél',
    'Tél.',
    'N° de téléphone',
    'Numéro de téléphone',
    'Téléphone client',
    'Portable',
    'Mobile',
    'TELEPHONE',
  ],
  siret: ['SIRET', 'N° SIRET', 'Numéro SIRET', 'SIRET client', 'Siret'],
  siren: ['SIREN', 'N° SIREN', 'Siren'],
  address: ['Adresse', 'Adresse postale', 'Adresse 1', 'Rue', 'Adresse de facturation', 'ADRESSE'],
  postalCode: ['Code postal', 'CP', 'Code Postal', 'CODE POSTAL', 'C.P.'],
  city: ['Ville', 'Commune', 'VILLE', 'Ville client'],
  country: ['Pays', 'Code pays', 'PAYS'],
  status: ['Statut', 'État', 'Statut de paiement', 'Statut facture', 'Type de document'],
  description: ['Objet', 'Libellé', 'Description', 'Désignation'],
  noise: [
    'Code client',
    'Commercial',
    'Mode de règlement',
    'N° de commande',
    'Compte',
    'Nb jours',
    'Relance',
    'Code journal',
    'Observations',
  ],
}

/** Programs in English are used in France as well. */
export const englishTitles: Readonly<Record<DrawnField, readonly string[]>> = {
  number: ['Invoice number', 'Invoice No.', 'Invoice #', 'Invoice', 'InvoiceNumber', 'invoice_number'],
  name: ['Customer', 'Customer name', 'Client name', 'Company name', 'Company', 'customer_name'],
  firstName: ['First name'],
  email: ['Email', 'Email address', 'Customer email', 'Billing email', 'customer_email', 'E-mail'],
  issued: ['Invoice date', 'Issue date', 'Date of issue', 'Billing date', 'invoice_date', 'Date'],
  due: ['Due date', 'Payment due date', 'Date due', 'due_date', 'DueDate'],
  net: ['Amount excl. tax', 'Net amount', 'Subtotal'],
  tax: ['VAT', 'Tax'],
  gross: [
    'Total',
    'Amount',
    'Total amount',
    'Total incl. VAT',
    'Gross amount',
    'Invoice total',
    'total_amount',
  ],
  balance: ['Balance due', 'Amount due', 'Open balance', 'Balance', 'Outstanding', 'amount_due'],
  paid: ['Amount paid', 'Paid', 'amount_paid'],
  debit: ['Amount'],
  credit: ['Credit'],
  currency: ['Currency', 'Currency code', 'currency'],
  untitledCurrency: [''],
  phone: ['Phone', 'Phone number', 'Telephone number', 'Mobile phone'],
  siret: ['SIRET', 'SIRET number'],
  siren: ['SIREN'],
  address: ['Address', 'Street', 'Billing address', 'Address line 1'],
  postalCode: ['Postal code', 'Postcode', 'Zip code'],
  city: ['City', 'Town'],
  country: ['Country', 'Country code'],
  status: ['Status', 'Payment status', 'Invoice status'],
  description: ['Description', 'Memo', 'Subject'],
  noise: ['Customer code', 'Sales rep', 'Payment method', 'Order number', 'Notes'],
}
