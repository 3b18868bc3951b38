/** Help for a consumer who has trouble paying: in every email and letter that asks for money, and on the debtor's page. */
export const hardship = {
  fr: {
    question: 'Vous avez du mal à payer\u00a0?',
    help: 'Un Point Conseil Budget vous aide gratuitement. Pour le surendettement, appelez la Banque de France au 34\u00a014. La loi permet aussi de demander un délai (article 1343-5 du Code civil).',
  },
  en: {
    question: 'Having trouble paying?',
    help: 'In France, a Point Conseil Budget helps you free of charge. For over-indebtedness, call the Banque de France on 34\u00a014. The law also lets you ask for time to pay (article 1343-5 of the French Civil Code).',
  },
}
