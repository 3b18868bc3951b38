/** Help for a consumer who cannot pay: in the messages from the formal notice on, and on the debtor's page. */
export const hardship = {
  fr: {
    question: 'Vous ne pouvez pas payer\u00a0?',
    help: 'Un Point Conseil Budget vous aide gratuitement. Pour le surendettement, appelez la Banque de France au 34\u00a014. La loi permet aussi de demander un délai (article 1343-5 du Code civil).',
  },
  en: {
    question: 'You cannot pay?',
    help: 'In France, a Point Conseil Budget helps you free of charge. For over-indebtedness, call the Banque de France on 34\u00a014. The law also lets you ask for time to pay (article 1343-5 of the French Civil Code).',
  },
}
