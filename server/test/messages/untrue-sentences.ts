/** Each was once written and was not so. The reason says what the program does. */
export const untrue: [RegExp, string][] = [
  [/jamais son texte|never what it says/, 'the text of a reply is kept for people'],
  [/a porté cette créance|taken this claim to court/, 'the judicial step files nothing'],
  [/'au tribunal'|'in court'/, 'the judicial step files nothing'],
  [/doit vous répondre|has to answer you|must answer you/, 'nobody makes the creditor answer'],
  [
    /tant que le créancier ne vous aura pas répondu|until \$\{creditor\} has answered/,
    'the reminders wait for the decision',
  ],
  [
    /Aucune décision produisant des effets juridiques|No decision with legal effect/,
    'the formal notice leaves by itself',
  ],
  [/prochain rappel est|next reminder is/, 'the next message may be a formal notice or a call'],
  [
    /en plusieurs fois est possible|instalments? is possible|instalments are possible/,
    'the creditor never agreed to it',
  ],
  [/réclamé ici pour les jours suivants|claimed here for the following days/, 'the days may lie before'],
  [/passée en perte|has been written off/, 'that is a fact of the creditor’s books'],
  [/'Carte bancaire'|\['By', 'Card'\]/, 'the provider of payments takes other means, too'],
  [
    /Jusque-là, vous ne recevrez pas de rappel\.|We won’t write again before then/,
    'other invoices are reminded of',
  ],
  [/Votre proposition|Your proposal/, 'nobody accepts it, and yet it is noted'],
  [/revoir le dossier à tout moment|see the details again at any time/, 'a link works for 180 days'],
  [/changez-la sur la page|change it on the page/, 'a promise is moved once, then a person decides'],
  [/une date, plusieurs paiements|a date, several payments/, 'the creditor never agreed to it'],
  [/et les rappels reprennent|and the reminders go on/, 'another reason may hold them'],
  [/Nos e-mails .*contiennent|Our emails .*hold/, 'who is called may have had no email'],
  [/La créance demeure|The claim itself remains/, 'it may be paid, disputed or time-barred'],
  [/ne se refuse pas d’avance|cannot be refused in advance/, 'that is our rule, not the law'],
  [/factures échues et en euros de|overdue invoices in euros of/, 'the sums of an invoice may be waived'],
  [/vous répondr(?:a|ons)(?!\p{L})|get back to you/u, 'nobody makes the creditor answer'],
  [/avec vous, ou avec un conseil|stop our reminders and see/, 'nobody makes the creditor do it'],
  [
    /corrigera son dépôt|corrigerons notre dépôt|will correct (?:our|its) submission/,
    'nobody makes the creditor do it',
  ],
  [
    /clés et webhooks marchent|keys and webhooks go on/,
    'webhooks end with the consent that they were made under',
  ],
]
