const escapeHtml = (text: string) => text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)

const kinds: readonly (readonly [file: string, french: string, english: string])[] = [
  ['debtors', 'Votre identité et vos coordonnées', 'Who you are and how you are reached'],
  [
    'invoices, credits, payments, checkouts',
    'Factures, avoirs, paiements',
    'Invoices, credit notes, payments',
  ],
  ['promises, disputes', 'Promesses de paiement, contestations', 'Promises to pay, disputes'],
  ['recoveries, actions, agendas', 'Le suivi de chaque facture', 'How each invoice was followed'],
  [
    'communications, extra_messages, message_codes, sandbox_messages, sent_messages, replies, calls',
    'Messages, réponses, appels',
    'Messages, replies, calls',
  ],
  ['contact_ledger', 'La preuve de chaque contact', 'The proof of each contact'],
  ['debtor_scores', 'Le score de risque, de 0 à 195', 'The risk score, from 0 to 195'],
  ['closed_channels', 'Là où l’on ne vous écrit plus', 'Where you are not written to any more'],
  ['conversations', 'Textes du créancier qui vous nomment', 'Texts of the creditor that name you'],
  ['events', 'Ce qui a été signalé au créancier', 'What the creditor was told'],
  ['documents', 'Les documents, tels quels', 'Documents, as they were'],
]

/** The page to read first. */
export function copySummary(person: Record<string, unknown>, now: number): string {
  const day = new Date(now).toISOString().slice(0, 10)
  const shown = (name: string) => escapeHtml(String(person[name] ?? '—'))
  const identity = ['name', 'email', 'phone', 'siret', 'address', 'postal_code', 'city', 'country', 'notes']
  const list = (language: 1 | 2) =>
    kinds.map(kind => `<li><b>${kind[language]}</b> <code>${kind[0]}</code></li>`).join('\n')
  return `<!doctype html>
<html lang="fr"><meta charset="utf-8"><title>Vos données</title>
<body style="font: 16px/1.5 system-ui; max-width: 44em; margin: 2em auto; padding: 0 1em">
<h1>Vos données</h1>
<p>Copie faite le ${day} (articles 15 et 20 du RGPD). Elle contient tout ce que le logiciel Relance garde sur vous pour ce créancier.</p>
<dl>${identity.map(name => `<dt><code>${name}</code></dt><dd>${shown(name)}</dd>`).join('\n')}</dl>
<h2>Les fichiers</h2>
<ul>${list(1)}</ul>
<p>Pourquoi, combien de temps, qui les reçoit, vos droits : voyez la page « Vos données » du lien de chaque message, ou écrivez au créancier.</p>
<section lang="en"><h1>Your data</h1>
<p>Copy made on ${day} (art. 15 and 20 GDPR). It holds everything that the software Relance keeps about you for this creditor.</p>
<h2>The files</h2>
<ul>${list(2)}</ul>
<p>Why, for how long, who receives them, your rights: see the page “Your data” of the link in each message, or write to the creditor.</p></section>
</body></html>
`
}
