/** What the program or the company will do, or will not do, or when, as a debtor, a creditor or its people read it. */
export interface Promised {
  readonly promise: string
  /** The words in each source; `…` stands for what is inserted. A sentence that holds them is this promise. */
  readonly said: Readonly<Record<string, readonly string[]>>
  /** The tests that wait and see it kept, with words of their titles. */
  readonly keptBy: readonly (readonly [file: string, title: string])[]
}

const features = 'server/src/features'
const page = {
  fr: `${features}/debtor-side/page/texts/french.ts`,
  en: `${features}/debtor-side/page/texts/english.ts`,
}
const notice = {
  fr: `${features}/debtor-side/page/texts/french-data-notice.ts`,
  en: `${features}/debtor-side/page/texts/english-data-notice.ts`,
}
const mails = {
  fr: `${features}/recovery/messages/compose/texts/french-emails-and-letters.ts`,
  en: `${features}/recovery/messages/compose/texts/english-emails-and-letters.ts`,
}
const answers = {
  fr: `${features}/recovery/messages/compose/texts/french-answers.ts`,
  en: `${features}/recovery/messages/compose/texts/english-answers.ts`,
}
const calls = {
  fr: `${features}/recovery/messages/compose/texts/french-sms-and-calls.ts`,
  en: `${features}/recovery/messages/compose/texts/english-sms-and-calls.ts`,
  spoken: `${features}/debtor-side/calls/call-texts.ts`,
}
const history = {
  fr: `${features}/recovery/case/history-french.ts`,
  en: `${features}/recovery/case/history-english.ts`,
}
const account = {
  fr: `${features}/access/people/texts/french-account.ts`,
  en: `${features}/access/people/texts/english-account.ts`,
}
const signIn = {
  fr: `${features}/access/people/texts/french-pages.ts`,
  en: `${features}/access/people/texts/english-pages.ts`,
}
const accountMails = {
  fr: `${features}/access/people/texts/french-mails.ts`,
  en: `${features}/access/people/texts/english-mails.ts`,
}
const gate = `${features}/debtor-side/page/texts/gate-texts.ts`
const alerts = `${features}/integrations/alerts/alert-texts.ts`
const company = `${features}/access/account/company-texts.ts`
const cards = `${features}/access/account/card-payments-texts.ts`
const consent = `${features}/access/oauth/consent-texts.ts`
const webhooks = `${features}/integrations/webhooks/owner-mail-texts.ts`
const assistant = `${features}/integrations/assistant/plan-texts.ts`
const copy = `${features}/integrations/tasks/erase/copy-texts.ts`
const attestation = `${features}/recovery/workflow/attestation/attestation-texts.ts`
const acts = 'console/src/features/acts/words.ts'
const writing = 'console/src/features/acts/write-words.ts'
const sending = 'console/src/features/sending/words.ts'
const today = 'console/src/features/today/words.ts'
const work = 'console/src/features/work/words.ts'
const debtorWords = 'console/src/features/debtor/words.ts'
const importing = 'console/src/features/import/words.ts'
const importTest = 'server/test/browser/console/import.test.ts'

const scenarios = 'server/test/scenarios'
const stories = `${scenarios}/recovery/stories.test.ts`
const debtorAnswers = `${scenarios}/debtor-side/debtor-answers.test.ts`
const replies = `${scenarios}/recovery/replies.test.ts`
const erase = `${features}/integrations/tasks/erase/erase.test.ts`

const waitsForTheDay = [
  [debtorAnswers, 'nothing before the promised day is over'],
  [stories, 'one that is broken ends the pause after two working days'],
] as const
const waitsForTheDecision = [
  [debtorAnswers, 'hears nothing more after a dispute'],
  [stories, 'a dispute stops everything at once'],
] as const
const waitsUntilRead = [
  [replies, 'stops the formal notice until somebody has read it'],
  [replies, 'every invoice of the debtor waits'],
] as const
const isPaid = [[stories, 'a payment in the middle ends the recovery: nothing more is sent']] as const
const situation = [
  [`${scenarios}/debtor-side/reported-situation.test.ts`, 'nothing gets past it in sixty days'],
] as const
const wrongPerson = [
  [
    `${features}/receivables/debtors/report-wrong-person.test.ts`,
    'nothing is sent while it lasts, whatever the calendar says',
  ],
  [debtorAnswers, 'its links show nothing any more, also once it is corrected'],
] as const
const refusedAddress = [
  [
    `${scenarios}/recovery/refused-address.test.ts`,
    'the first refusal is a task, and no formal notice and no decision come of it',
  ],
  [
    `${scenarios}/recovery/refused-address.test.ts`,
    'the address is corrected: the message that never left goes to the new one, within the rules',
  ],
] as const
const closedChannel = [
  [`${features}/receivables/debtors/close-channel.test.ts`, 'carries nothing more to the end of the cascade'],
] as const
const nothingAfterTheLastStep = [
  [`${scenarios}/recovery/cascades.test.ts`, 'after the last step nothing is sent until a person decides'],
] as const
const erasedInTime = [
  [erase, 'erases debtors after the time that their company keeps them, and blocked records after theirs'],
] as const
const signInAgain = [
  [`${scenarios}/access/people-recent-sign-in.test.ts`, 'no passkey is added or removed any more'],
] as const

/** Every promise to a debtor, to a creditor or to somebody who works there, and who sees it kept. */
export const promises: readonly Promised[] = [
  // To a debtor, about reminders.
  {
    promise: 'the reminders wait for the promised day and two working days more',
    said: {
      [page.fr]: [
        'jusqu’à deux jours ouvrés après le jour que vous choisissez',
        'Les rappels attendent jusqu’au ….',
        'Les rappels attendent.',
        'Vous ne recevrez pas de rappel avant le ….',
      ],
      [page.en]: [
        'until two working days after the day you choose',
        'The reminders wait until ….',
        'The reminders wait.',
        'You won’t be reminded before ….',
      ],
      [answers.fr]: ['D’ici là, vous ne recevrez pas de rappel'],
      [answers.en]: ['Until then you won’t be reminded'],
      [alerts]: [
        'Les rappels attendent ce jour et deux jours ouvrés de plus.',
        'The reminders wait for that day and two working days more.',
      ],
      [acts]: [
        'Les relances attendent l’argent jusqu’à cette date.',
        'The reminders wait for the money until that day.',
        'Les relances attendent jusqu’au ….',
        'The reminders wait until ….',
      ],
      [today]: ['jusqu’au jour promis', 'until the promised day'],
      [history.fr]: ['Les relances attendent.'],
      [history.en]: ['The reminders wait.'],
    },
    keptBy: waitsForTheDay,
  },
  {
    promise: 'after the promised day the reminders go on',
    said: {
      [alerts]: ['Les rappels reprennent d’eux-mêmes', 'The reminders go on by themselves'],
    },
    keptBy: waitsForTheDay,
  },
  {
    promise: 'once the money is there, the reminders stop for good',
    said: {
      [page.fr]: ['dès que le paiement est arrivé', 'Vous ne recevrez plus de rappel à ce sujet.'],
      [page.en]: ['once the payment has arrived', 'No more reminders will be sent for it.'],
      [answers.fr]: [
        'vous ne recevrez plus de rappel à son sujet',
        'vous ne recevrez plus de rappel à leur sujet',
      ],
      [answers.en]: ['you will not be reminded of it again', 'you will not be reminded of them again'],
    },
    keptBy: isPaid,
  },
  {
    promise: 'a dispute stops the reminders at once, until the decision',
    said: {
      [page.fr]: [
        'Les rappels s’arrêtent aussitôt.',
        'Les rappels sont arrêtés jusqu’à la décision',
        'rien ne vous sera envoyé à ce sujet avant sa décision',
      ],
      [page.en]: [
        'The reminders stop at once.',
        'The reminders have stopped until … has decided.',
        'you won’t hear about it until its decision',
      ],
      [answers.fr]: ['D’ici là, vous n’avez rien à faire.'],
      [answers.en]: ['Until then there is nothing you have to do.'],
      [alerts]: [
        'Les rappels d’une facture contestée attendent votre réponse.',
        'The reminders for a disputed invoice wait until you have answered.',
      ],
      [acts]: [
        'Les relances s’arrêtent tant que la contestation est ouverte.',
        'The reminders stop while the dispute is open.',
      ],
      [today]: ['jusqu’à votre décision', 'until you decide'],
    },
    keptBy: waitsForTheDecision,
  },
  {
    promise: 'the decision on a dispute is shown on the page, and emailed',
    said: {
      [page.fr]: ['sera affichée sur cette page, et vous sera envoyée par e-mail si vous en recevez.'],
      [page.en]: ['will be shown on this page, and emailed to you if you receive emails.'],
      [answers.fr]: ['sera affichée sur la page du dossier et vous sera envoyée par e-mail'],
      [answers.en]: ['will be shown on the page of your case and emailed to you'],
    },
    keptBy: [
      [replies, 'is told to the debtor, without the note of the creditor'],
      [`${scenarios}/debtor-side/dispute-outcome.test.ts`, 'reads on the page where the decision will be'],
    ],
  },
  {
    promise: 'after a dispute that was accepted nothing is asked until a person resumes',
    said: {
      [acts]: [
        'plus rien ne lui est demandé et la relance reste arrêtée',
        'nothing more is asked and the recovery stays stopped',
        'Contestation acceptée : plus rien n’est demandé',
        'Dispute accepted: nothing more is asked',
      ],
    },
    keptBy: [[stories, 'a dispute that is upheld stays paused, until a person resumes it']],
  },
  {
    promise: 'an answer holds the reminders until a person has read it',
    said: {
      [page.fr]: [
        'Les rappels s’arrêtent aussitôt, jusqu’à ce … ait lu votre réponse.',
        'D’ici à ce qu’elle soit lue, vous ne recevrez pas de rappel.',
      ],
      [page.en]: [
        'The reminders stop at once, until … has read your answer.',
        'You won’t be reminded until it has been read.',
      ],
      [calls.spoken]: [
        'D’ici à ce qu’elle soit lue, vous ne recevrez pas de rappel.',
        'You won’t be reminded until it has been read.',
      ],
      [alerts]: [
        'Plus rien n’est envoyé tant que vous n’avez pas dit l’avoir lue.',
        'Nothing more is sent until you say that you have read it.',
      ],
      [today]: ['jusqu’à votre lecture', 'until you read it'],
      [history.fr]: ['les relances attendent que sa réponse soit lue'],
      [history.en]: ['the reminders wait until somebody has read it'],
    },
    keptBy: waitsUntilRead,
  },
  {
    promise: 'what a debtor proposes or explains by an answer is read before the next reminder',
    said: {
      [mails.fr]: [
        'nous en tiendrons compte',
        'nous étudierons votre proposition',
        '… étudiera votre proposition',
      ],
      [mails.en]: [
        'we will take it into account',
        'we will consider your proposal',
        '… will consider your proposal',
      ],
    },
    keptBy: [...waitsUntilRead, ...waitsForTheDay],
  },
  {
    promise: 'an answer reaches the creditor at once',
    said: {
      [page.fr]: ['Vos réponses sur cette page parviennent aussitôt à'],
      [page.en]: ['Your answers on this page reach … at once.'],
      [calls.spoken]: ['Je note votre demande et je préviens', 'I will note your request and tell'],
      [calls.fr]: ['Je note vos dates et vos montants et je'],
      [calls.en]: ['I will note your dates and amounts and'],
    },
    keptBy: [
      [debtorAnswers, 'the creditor can read why'],
      [`${scenarios}/debtor-side/calls.test.ts`, 'who wants a human is told who gets to know it'],
      [`${scenarios}/integrations/alerts.test.ts`, 'an answer by mail holds the debtor, is mailed'],
    ],
  },
  {
    promise: 'nothing goes to an address of somebody else',
    said: {
      [page.fr]: [
        'Nous n’écrirons plus jamais à cette adresse e-mail à ce sujet, et cette page ne montrera plus rien.',
        'Nous ne contacterons plus jamais ce numéro à ce sujet, et cette page ne montrera plus rien.',
        'Les rappels s’arrêtent jusqu’à ce que le créancier ait trouvé la bonne adresse.',
        'nous n’utiliserons plus cette adresse ou ce numéro à ce sujet',
        'Cette page ne montre plus rien',
      ],
      [page.en]: [
        'We will never write to this email address about this matter again, and this page will show nothing any more.',
        'We will never contact this number about this matter again, and this page will show nothing any more.',
        'The reminders stop until the creditor has found the right address.',
        'we will not use this address or number for this matter again',
        'This page no longer shows anything',
      ],
      [calls.spoken]: [
        'ce numéro ne sera plus utilisé pour ce dossier',
        'this number will not be used any more for this case',
      ],
      [alerts]: [
        'n’est plus contacté tant que ces coordonnées ne sont pas corrigées',
        'is not contacted until it is corrected',
      ],
      [today]: ['jusqu’à une nouvelle adresse', 'until there is a new address'],
    },
    keptBy: wrongPerson,
  },
  {
    promise: 'what needs a refused address waits until it is corrected or tried again',
    said: {
      [alerts]: [
        'les rappels qui en ont besoin attendent que vous les corrigiez',
        'the reminders that need that address wait until you correct it',
      ],
      [today]: ['jusqu’à une adresse corrigée ou réessayée', 'until it is corrected or tried again'],
      [debtorWords]: [
        'Les relances qui en ont besoin attendent que vous corrigiez l’adresse ou la réessayiez.',
        'The reminders that need it wait until you correct the address or try it again.',
      ],
      [acts]: [
        'Les messages pas encore envoyés vont à la nouvelle adresse, aux heures permises.',
        'L’adresse sera réessayée.',
        'Messages that have not left go to the new address, at the hours that are allowed.',
        'The address will be tried again.',
      ],
      [history.fr]: [
        'Les relances qui en ont besoin attendent, sauf si une autre personne peut les recevoir',
      ],
      [history.en]: ['The reminders that need it wait, unless there is another person to write to'],
    },
    keptBy: refusedAddress,
  },
  {
    promise: 'messages go to the next person, and nothing waits for the address that refused one',
    said: {
      [alerts]: ['Les messages vont désormais à', 'From now on messages go to'],
      [debtorWords]: ['et rien n’attend', 'and nothing waits'],
      [history.fr]: ['vont au contact suivant du client'],
      [history.en]: ['go to the next person of the debtor'],
    },
    keptBy: [
      [`${scenarios}/recovery/next-person.test.ts`, 'the step goes to the next person, once'],
      [`${scenarios}/recovery/next-person.test.ts`, 'the next email goes to them, and no day has two'],
    ],
  },
  {
    promise: 'a reported situation stops everything until it is checked',
    said: {
      [page.fr]: ['doit vérifier ce que vous dites avant de vous écrire à nouveau'],
      [page.en]: ['has to check what you tell us before it writes to you again'],
      [alerts]: [
        'Plus rien ne part.',
        'Plus rien ne part vers ce débiteur, pour aucune facture, tant que vous n’avez pas enregistré',
        'Nothing is sent.',
        'Nothing is sent to this debtor, for any invoice, until you record what you have checked',
      ],
      [acts]: [
        'Plus aucune relance ne part vers ce client, pour aucune facture, avant votre décision.',
        'Plus aucune relance ne part avant une décision.',
        'No reminder leaves for this debtor any more, for any invoice, until you decide.',
        'No reminder leaves until it is decided.',
      ],
      [debtorWords]: [
        'Plus aucune relance ne part, pour aucune facture, avant votre décision.',
        'No reminder leaves, for any invoice, until you decide.',
      ],
      [history.en]: ['Nothing is sent until somebody has decided.'],
      [history.fr]: ['Rien ne part avant une décision.'],
    },
    keptBy: situation,
  },
  {
    promise: 'while proceedings are open nothing is asked',
    said: {
      [acts]: [
        'Plus aucune relance ne part vers ce client.',
        'Plus aucune relance ne part tant que la procédure est ouverte.',
        'No reminder leaves for this debtor any more.',
      ],
      [debtorWords]: [
        'Plus aucune relance ne part, pour aucune facture, et sa page ne propose plus de payer ni de promettre.',
      ],
    },
    keptBy: [
      [
        `${scenarios}/debtor-side/insolvent-debtor.test.ts`,
        'is offered no payment and no promise, and what was open ends',
      ],
      [
        'server/src/domain/recovery/situation-lives.test.ts',
        'no reminder leaves between a reported situation, or recorded proceedings, and the decision that ends it',
      ],
    ],
  },
  {
    promise: 'a person who takes over is written to instead of the old addresses',
    said: { [acts]: ['Plus rien n’est écrit aux anciennes adresses.'] },
    keptBy: [
      [`${scenarios}/debtor-side/reported-situation.test.ts`, 'the heir takes the place of every address'],
    ],
  },
  {
    promise: 'once the claim is declared, nobody is warned of the last day',
    said: {
      [acts]: ['Vous n’êtes plus averti de la date limite.', 'You are not warned of the last day any more.'],
    },
    keptBy: [
      [
        `${features}/receivables/debtors/warn-of-declarations.test.ts`,
        'also with alerts switched off, until it is declared',
      ],
    ],
  },
  {
    promise: 'a request about personal data holds the reminders until it is decided',
    said: {
      [alerts]: ['Les rappels attendent votre décision.', 'The reminders wait for your decision.'],
    },
    keptBy: [
      [
        `${features}/receivables/debtors/data-requests.test.ts`,
        'nothing is sent for months, an invoice that comes later waits too',
      ],
    ],
  },
  {
    promise: 'a channel that was refused carries nothing more',
    said: {
      [page.fr]: [
        'Nous ne vous écrirons plus par e-mail.',
        'Nous ne vous enverrons plus de SMS.',
        'Nous ne vous appellerons plus.',
        'Ne plus recevoir d’e-mails de notre part',
        'Ne plus recevoir de SMS de notre part',
        'Ne plus recevoir d’appels de notre part',
        'C’est fait : plus d’e-mails',
        'C’est fait : plus de SMS',
        'C’est fait : plus d’appels',
      ],
      [page.en]: [
        'We will no longer write to you by email.',
        'We will no longer send you text messages.',
        'We will no longer call you.',
        'No more emails from us',
        'No more text messages from us',
        'No more calls from us',
        'Done: no more emails',
        'Done: no more text messages',
        'Done: no more calls',
      ],
      [calls.spoken]: ['nous ne vous appellerons plus', 'we will not call you again'],
      [calls.fr]: ['Si vous ne souhaitez plus recevoir d’appels, dites-le-moi.'],
      [calls.en]: ['If you do not wish to be called again, tell me.'],
      [acts]: [
        'Le client ne sera plus contacté par ce canal, pour aucune facture.',
        'The debtor will not be contacted by this channel any more, for any invoice.',
      ],
    },
    keptBy: closedChannel,
  },
  {
    promise: 'a call ends when the wrong person says so',
    said: {
      [calls.fr]: ['Si ce n’est pas le cas, dites-le-moi et je m’arrête là.'],
      [calls.en]: ['If not, tell me and I will stop here.'],
      [calls.spoken]: ['Je m’arrête donc là', 'so I will stop here', 'Thank you, I will wait.'],
    },
    keptBy: [[`${scenarios}/debtor-side/calls.test.ts`, 'somebody else is left alone']],
  },
  {
    promise: 'after the closing notice nothing more is written',
    said: {
      [mails.fr]: ['Vous ne recevrez plus de message à ce sujet'],
      [mails.en]: ['You won’t hear from us about it again'],
      [acts]: [
        'Un avis de clôture partira au premier moment permis.',
        'A closing notice will leave at the first moment that is allowed.',
        'plus aucune relance ne part pour cette facture',
        'no reminder leaves for this invoice any more',
      ],
    },
    keptBy: [
      [
        stories,
        'cancel with notice stops everything and sends one closing message at the next allowed moment',
      ],
    ],
  },
  {
    promise: 'reminders follow where more follow, and stop where they are said to be the last',
    said: {
      [mails.fr]: [
        'nous poursuivrons nos rappels',
        'nous arrêterons nos rappels',
        'décidera de la suite',
        'nous déciderons de la suite',
      ],
      [mails.en]: [
        'we will go on reminding you',
        'we will stop our reminders',
        'will decide what to do next',
        'decide what to do next',
      ],
    },
    keptBy: [
      ['server/test/messages/last-reminder.pure.test.ts', 'says it only where nothing follows'],
      ...nothingAfterTheLastStep,
    ],
  },
  {
    promise: 'a company that was closed sends nothing more',
    said: {
      [page.fr]: ['Relance n’envoie plus de messages pour'],
      [page.en]: ['Relance sends no more messages for'],
    },
    keptBy: [[`${scenarios}/recovery/stops.test.ts`, 'a closed company writes to nobody']],
  },
  // To a debtor, about the page, money and data.
  {
    promise: 'a payment by card is recorded as soon as it is confirmed, and goes to the creditor',
    said: {
      [page.fr]: ['Dès que la confirmation nous parvient, le paiement est enregistré.', 'jamais par Relance'],
      [page.en]: [
        'As soon as the confirmation reaches us, the payment is recorded.',
        'never through Relance',
      ],
      [cards]: ['Il ne passe jamais par nous.', 'It never passes through us.'],
    },
    keptBy: [
      [`${scenarios}/debtor-side/debtor-pays-by-card.test.ts`, 'paid with a signed event closes the case'],
      [
        `${scenarios}/debtor-side/debtor-pays-by-card.test.ts`,
        'money at somebody else’s account, or of a test, pays nothing',
      ],
    ],
  },
  {
    promise: 'a closed link stays closed, and a new message has a new one',
    said: {
      [gate]: [
        'ce lien ne s’ouvre plus',
        'this link no longer opens',
        'ce message aura un nouveau lien',
        'that message will have a new link',
      ],
    },
    keptBy: [
      [
        `${scenarios}/debtor-side/debtor-gate.test.ts`,
        'is closed for everybody, says whom to ask, and a new message has a new link',
      ],
    ],
  },
  {
    promise: 'a link and a code work for their days',
    said: {
      [notice.fr]: ['jours après l’envoi du message'],
      [notice.en]: ['This link stops working … days after the message was sent.'],
      [page.fr]: ['Un code fonctionne 180 jours.'],
      [page.en]: ['A code works for 180 days.'],
    },
    keptBy: [
      [debtorAnswers, 'opens the link for the days that its page says, and no longer'],
      [`${scenarios}/debtor-side/letter-code.test.ts`, 'a code that is incomplete, wrong or too old says so'],
    ],
  },
  {
    promise: 'a case is erased when its time is over',
    said: {
      [notice.fr]: ['puis il l’efface'],
      [notice.en]: ['then erases it'],
      [copy]: ['puis il l’efface', 'then erases it'],
    },
    keptBy: erasedInTime,
  },
  {
    promise: 'accounting documents stay for ten years, and are shown to nobody',
    said: {
      [notice.fr]: ['le logiciel ne les montre plus à personne'],
      [notice.en]: [
        'Accounting documents are kept for ten years.',
        'the software shows them to nobody any more',
      ],
      [copy]: ['Accounting records are kept for ten years, blocked.'],
    },
    keptBy: [[erase, 'keeps what accounting law wants kept, blocked, and says until when'], ...erasedInTime],
  },
  {
    promise: 'an address that was refused stays closed after the case is erased',
    said: {
      [notice.fr]: ['Elle sert à ne plus vous écrire.'],
      [notice.en]: ['It serves to write to you no more.'],
      [copy]: [
        'Là où l’on ne vous écrit plus',
        'là où l’on ne vous écrit plus',
        'Where you are not written to any more',
        'where you are not written to any more',
      ],
    },
    keptBy: [[erase, 'chain and totals stay, and the address stays closed']],
  },
  {
    promise: 'the text of a reply is sealed, and erased some days after it was read',
    said: {
      [notice.fr]: ['sont gardés chiffrés', 'Le texte d’une réponse est effacé'],
      [notice.en]: ['are kept encrypted', 'The text of a reply is erased'],
    },
    keptBy: [
      [`${scenarios}/recovery/reply-texts.test.ts`, 'is stored sealed'],
      [`${scenarios}/recovery/reply-texts.test.ts`, 'is erased in the night, some days after it was read'],
      [`${scenarios}/recovery/reply-texts.test.ts`, 'the text is erased after 400 days'],
    ],
  },
  {
    promise: 'the words of calls, attachments, and the answer to the question of a link are not stored',
    said: {
      [notice.fr]: ['Le contenu des pièces jointes ne l’est pas.', 'Votre réponse n’est pas gardée.'],
      [notice.en]: ['The content of attachments is not.', 'Your answer is not kept.'],
      [calls.fr]: ['une courte note en garde le résultat'],
      [calls.en]: ['a short note of its result is kept'],
    },
    keptBy: [
      [
        `${scenarios}/debtor-side/data-notice.test.ts`,
        'says that the text of a reply is kept and until when, and that the words of a call are not',
      ],
    ],
  },
  {
    promise: 'the score brings no letter nearer for a natural person',
    said: {
      [notice.fr]: ['il ne rapproche jamais une lettre recommandée'],
      [notice.en]: ['it never brings a registered letter'],
    },
    keptBy: [
      [
        `${scenarios}/receivables/score-cascades.test.ts`,
        'no score of a person chooses a cascade of one’s own that brings the letter nearer',
      ],
    ],
  },
  {
    promise: 'the attestation can be checked by its digest',
    said: { [attestation]: ['est conservée par Relance', 'is kept by Relance'] },
    keptBy: [
      [
        `${features}/recovery/workflow/write-off.test.ts`,
        'status, recovery, history, events and document in one answer',
      ],
    ],
  },
  // To a creditor, about reminders.
  {
    promise: 'after the last step nothing happens until a person decides',
    said: {
      [alerts]: ['Rien d’autre ne se passe avant votre décision.', 'Nothing more happens until you decide.'],
    },
    keptBy: nothingAfterTheLastStep,
  },
  {
    promise: 'a day to come back puts a debtor under “Later” until that day',
    said: {
      [work]: ['Jusque-là, ce client passe dans « Plus tard ».', 'Until then this client is under “Later”.'],
    },
    keptBy: [
      [`${features}/receivables/work/work.test.ts`, 'a day to come back puts a debtor off until that day'],
    ],
  },
  {
    promise: 'a note stays in the history',
    said: { [work]: ['Gardée dans l’historique.', 'Kept in the history.'] },
    keptBy: [[`${features}/receivables/work/work.test.ts`, 'a later note or a person ends it']],
  },
  {
    promise: 'messages wait for a provider that is away, and leave when it is back',
    said: {
      [alerts]: [
        'Les vôtres sont conservés et partiront d’eux-mêmes à son retour.',
        'Yours are kept, and leave by themselves when it is back.',
        'Des messages attendent',
        'Messages wait',
        'Vos messages attendent',
        'Your messages wait',
      ],
    },
    keptBy: [
      [
        `${scenarios}/recovery/provider-away.test.ts`,
        'costs nobody an attempt, and everybody is written to once',
      ],
    ],
  },
  {
    promise: 'who switches the mails off gets no more, and their links end after two weeks',
    said: {
      [alerts]: [
        'Vous ne recevez plus d’e-mails sur vos factures.',
        'You are not mailed about your invoices any more.',
        'Ne plus m’écrire à ce sujet',
        'Do not mail me about this any more',
        'Il a plus de deux semaines',
        'It is older than two weeks',
      ],
    },
    keptBy: [
      [`${scenarios}/integrations/alerts.test.ts`, 'who switches it off is not'],
      [`${scenarios}/integrations/alerts.test.ts`, 'a link that is unknown or too old shows nothing'],
    ],
  },
  {
    promise: 'opening the page of a mail does nothing',
    said: { [alerts]: ['nothing happens by opening it', 'l’ouvrir ne déclenche rien'] },
    keptBy: [[`${scenarios}/integrations/alerts.test.ts`, 'opening the link changes nothing']],
  },
  {
    promise: 'a pause lasts until its end or until somebody resumes',
    said: {
      [acts]: [
        'Plus rien ne part pour cette facture avant la reprise.',
        'Nothing more leaves for this invoice until it is resumed.',
        'Plus rien ne part pour aucune de ses factures, même futures, avant la reprise.',
        'Nothing more leaves for any of its invoices, later ones too, until it is resumed.',
        'la pause dure jusqu’à ce que vous repreniez',
        'the pause lasts until you resume',
      ],
      [today]: [
        'jusqu’à votre reprise',
        'until you resume',
        'jusqu’à la date choisie ou votre reprise',
        'until the chosen date, or until you resume',
      ],
      [assistant]: ['jusqu’à ce que vous le repreniez', 'until you resume it'],
    },
    keptBy: [
      [stories, 'a pause of thirty days moves the days by thirty'],
      [
        `${features}/receivables/debtors/pause-debtor.test.ts`,
        'nothing is sent until the pause ends, also for an invoice that came later',
      ],
      [`${features}/recovery/workflow/pause-and-resume.test.ts`, 'a pause with an end ends by itself'],
    ],
  },
  {
    promise: 'proceedings hold the reminders while they last',
    said: { [today]: ['tant que dure la procédure'] },
    keptBy: [['server/src/domain/recovery/situation-lives.test.ts', 'no reminder leaves between']],
  },
  {
    promise: 'a company that stops its sending sends nothing until it resumes',
    said: {
      [sending]: [
        'Plus aucun message ne part, à aucun client.',
        'No more messages are sent, to any debtor.',
        'Ce qui était prévu attend votre reprise.',
        'What was planned waits until you resume.',
      ],
      [today]: ['les envois sont arrêtés', 'sending is stopped'],
    },
    keptBy: [
      [
        `${scenarios}/recovery/stop-own-sending.test.ts`,
        'nothing is sent until the company resumes, and then what waited leaves, once',
      ],
    ],
  },
  {
    promise: 'after signing in again one is back, and may resume',
    said: {
      [sending]: ['Vous reviendrez ici, puis vous pourrez reprendre.'],
      [signIn.fr]: ['Connectez-vous, et vous reviendrez ici.'],
      [signIn.en]: ['Sign in with it, and you come back here.'],
    },
    keptBy: [['server/test/browser/console/today.test.ts', 'after signing in again, resumed']],
  },
  {
    promise: 'a message that was asked for leaves at its moment',
    said: {
      [acts]: ['Le message partira', 'The message will leave'],
      [writing]: [
        'Part ',
        'Leaves ',
        'Attend ',
        'Waits until ',
        'dès que les règles le permettent',
        'as soon as the rules allow it',
      ],
    },
    keptBy: [
      [
        `${features}/recovery/workflow/request-message.test.ts`,
        'leaves at that moment, once, beside the reminders',
      ],
      [
        'server/test/scenarios/recovery/written-messages.test.ts',
        'is shown as the debtor will see it, leaves at the moment that was said, and is as it was shown',
      ],
    ],
  },
  {
    promise: 'what is repeated is done once',
    said: {
      'console/src/lib/refusal-words.ts': ['rien ne sera fait deux fois', 'nothing will be done twice'],
      [acts]: [
        'Une fois par facture : le même paiement n’est jamais enregistré deux fois.',
        'Once per invoice: the same payment is never recorded twice.',
      ],
    },
    keptBy: [
      [`${scenarios}/kit/idempotency.test.ts`, 'one effect, fifty equal answers'],
      [
        `${features}/receivables/payments/payments.test.ts`,
        'the same external reference is never recorded twice',
      ],
    ],
  },
  {
    promise: 'what somebody writes about an act stands in the history',
    said: {
      [acts]: ['Gardé dans l’historique.', 'Gardée dans l’historique.', 'Kept in the history.'],
      [sending]: ['Gardé avec l’arrêt', 'Kept with the stop'],
    },
    keptBy: [
      [`${features}/recovery/workflow/trigger-workflow.test.ts`, 'the reason is kept in the history'],
      [
        `${scenarios}/recovery/stop-own-sending.test.ts`,
        'why it was stopped and why it goes on is in the audit log',
      ],
    ],
  },
  {
    promise: 'without an address or an account nothing is sent',
    said: {
      [company]: ['Sans l’adresse, rien n’est envoyé.', 'Without the address nothing is sent.'],
      [today]: [
        'il manque à la société une adresse ou un moyen de paiement',
        'the company lacks an address or a means of payment',
      ],
    },
    keptBy: [[`${scenarios}/recovery/voices.test.ts`, 'a company that has set nothing sends nothing']],
  },
  {
    promise: 'without what a collector needs nothing is sent',
    said: {
      [today]: [
        'le mandat de recouvrement manque',
        'the mandate to collect is missing',
        'l’exploitant n’a pas fini de configurer le recouvrement',
        'the operator has not finished setting up the collection',
      ],
    },
    keptBy: [
      [`${scenarios}/recovery/voices.test.ts`, 'with a mandate, and without one nothing leaves'],
      [
        `${scenarios}/recovery/voices.test.ts`,
        'without a declaration, an insurer or a SIREN collects for nobody',
      ],
    ],
  },
  // To somebody who works there, about accounts, keys and webhooks.
  {
    promise: 'a change of where money goes waits a day, unless a second owner confirms it',
    said: {
      [company]: [
        'une modification attend 24 heures',
        'a change waits 24 hours',
        'Une modification attend 24 heures',
        'A change waits 24 hours',
      ],
    },
    keptBy: [
      [`${scenarios}/access/payout-changes.test.ts`, 'a change waits a day'],
      [`${scenarios}/access/payout-changes.test.ts`, 'a second owner of more than a day confirms'],
    ],
  },
  {
    promise: 'what needs a fresh sign-in is refused ten minutes later',
    said: {
      [company]: [
        'dans les dix minutes qui suivent une connexion',
        'Changes here are made within ten minutes of signing in.',
      ],
      [cards]: [
        'dans les dix minutes qui suivent une connexion',
        'Card payments are set up within ten minutes of signing in.',
      ],
      [account.fr]: ['dans les dix minutes qui suivent une connexion'],
      [account.en]: ['Passkeys are added and removed within ten minutes of signing in.'],
      [sending]: [
        'une connexion de moins de dix minutes',
        'you need to have signed in within the last ten minutes',
      ],
    },
    keptBy: signInAgain,
  },
  {
    promise: 'debtors pay by card only once the company says so',
    said: { [cards]: ['que lorsque vous l’aurez décidé', 'Debtors cannot pay by card until you say so.'] },
    keptBy: [[`${scenarios}/access/card-payments.test.ts`, 'and the owner says yes']],
  },
  {
    promise: 'what was withdrawn or deleted works no more',
    said: {
      [company]: [
        'son lien ne fonctionne plus',
        'its link works no more',
        'elle ne fonctionne plus',
        'it works no more',
        'ne peut plus être relue',
      ],
      [accountMails.fr]: ['jusqu’à sa suppression'],
      [accountMails.en]: ['until it is deleted'],
    },
    keptBy: [
      [
        `${scenarios}/access/people-invitations.test.ts`,
        'that was withdrawn, ran out or was never made is dead',
      ],
      [`${features}/access/api-keys/rotate-key.test.ts`, 'deleting deactivates softly'],
      [
        `${features}/access/api-keys/create-key.test.ts`,
        'a key is in its one answer and nowhere in the database',
      ],
    ],
  },
  {
    promise: 'access that is withdrawn ends at once; the keys it made stay until they are deleted',
    said: {
      [consent]: [
        'It ends at once.',
        'L’effet est immédiat.',
        'jusqu’à ce que quelqu’un les supprime',
        'until somebody deletes them',
      ],
      [account.fr]: ['Un accès retiré prend fin aussitôt.', 'L’application n’a plus accès.'],
      [account.en]: ['What you withdraw ends at once.', 'The application has no access any more.'],
    },
    keptBy: [
      [
        'server/test/browser/consent.test.ts',
        'withdrawn on the account page, the next call of the application is a 401',
      ],
      [
        `${scenarios}/integrations/webhook-rights.test.ts`,
        'a consent that is withdrawn takes along what was made for that person',
      ],
      [
        `${features}/access/api-keys/keys-by-token.test.ts`,
        'what a token gave out while it was being withdrawn is in the list by then',
      ],
    ],
  },
  {
    promise: 'an application may do what was allowed, as far as the role goes',
    said: { [consent]: ['pourra', 'pourra pas y faire ceci'] },
    keptBy: [
      [
        `${features}/access/oauth/authenticate-bearer.test.ts`,
        'has no more than was consented to, whatever the role',
      ],
    ],
  },
  {
    promise: 'in the sandbox nothing is sent',
    said: {
      [consent]: ['rien n’est envoyé, rien n’est facturé', 'nothing is sent, nothing is charged'],
      'console/src/features/first-day/words.ts': [
        'Rien n’est envoyé à personne.',
        'Nothing is sent to anybody.',
      ],
    },
    keptBy: [[`${scenarios}/integrations/sandbox.test.ts`, 'not one byte goes to a mail server']],
  },
  {
    promise: 'invoices of a file that is imported without starting wait for a person',
    said: {
      [importing]: [
        'Sinon elles attendent que vous les commenciez.',
        'Otherwise they wait until you start them.',
      ],
    },
    keptBy: [[importTest, 'cells are pasted and imported by keyboard alone']],
  },
  {
    promise: 'what a person said of the columns is kept for files with the same titles',
    said: {
      [importing]: [
        'Votre choix est retenu pour les fichiers qui ont les mêmes titres.',
        'Your choice is kept for files with the same titles.',
      ],
    },
    keptBy: [[importTest, 'is read, checked, mended, done after a reload, and undone, by mouse']],
  },
  {
    promise: 'the recovery of an invoice that is typed in starts at once',
    said: {
      'console/src/features/import/invoice-words.ts': [
        'La relance commence aussitôt',
        'The reminders start at once',
      ],
    },
    keptBy: [[importTest, 'one invoice is typed in by']],
  },
  {
    promise: 'a company is written for only after the operator opened it',
    said: {
      [signIn.fr]: ['rien n’est envoyé à personne avant que nous ayons ouvert'],
      [signIn.en]: ['nothing is sent to anybody before we have opened'],
    },
    keptBy: [
      [`${scenarios}/access/self-made-company.test.ts`, 'nor import an invoice that is written about'],
    ],
  },
  {
    promise: 'whoever is made an owner is one, and all owners are told',
    said: {
      [account.fr]: ['tous les propriétaires seront prévenus', 'Un membre le devient aussitôt'],
      [account.en]: ['Members become owners at once'],
      [signIn.fr]: ['vous en serez propriétaire'],
      [signIn.en]: ['you will be its owner'],
    },
    keptBy: [
      [`${scenarios}/access/owners.test.ts`, 'every owner is told when they join'],
      [`${scenarios}/access/owners.test.ts`, 'is one at once, and every owner is told'],
    ],
  },
  {
    promise: 'a new password ends every session',
    said: {
      [accountMails.fr]: ['toutes vos sessions seront fermées'],
      [accountMails.en]: ['Once you have chosen, you are signed out everywhere.'],
      [signIn.fr]: ['Toutes vos sessions seront fermées.'],
      [signIn.en]: ['You will be signed out everywhere.'],
    },
    keptBy: [
      [
        `${scenarios}/access/people-reset.test.ts`,
        'a new password by mail ends every session and every other link',
      ],
    ],
  },
  {
    promise: 'a webhook that fails is switched off, and its events can be read for 30 days',
    said: {
      [webhooks]: [
        'le webhook sera désactivé',
        'the webhook will be switched off',
        'plus rien ne lui est envoyé',
        'nothing is sent to it any more',
        'conservés 30 jours',
        'kept for 30 days',
      ],
    },
    keptBy: [
      [`${scenarios}/integrations/webhook-retries.test.ts`, 'after five failures the webhook is off'],
      [`${features}/integrations/webhooks/retention.test.ts`, 'more than thirty days ago'],
    ],
  },
  {
    promise: 'a plan of the assistant is done at a yes within ten minutes, and exactly as shown',
    said: { [assistant]: ['exactement ceci sera fait', 'exactly this is done'] },
    keptBy: [
      [`${scenarios}/integrations/assistant/confirmations.test.ts`, 'for its own caller, for ten minutes'],
      [
        `${scenarios}/integrations/assistant/confirmations.test.ts`,
        'stands for the arguments that were shown',
      ],
    ],
  },
]
