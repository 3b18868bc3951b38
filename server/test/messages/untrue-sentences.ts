/** Each was once written and was not so. The reason says what the program does. */
export const untrue: [RegExp, string][] = [
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
  [/qui vous répondra|who will get back to you/, 'nobody makes the creditor answer'],
]
