import { paidSum, withDe, withQue } from '../../../recovery/messages/compose/texts/typography.ts'
import type { english } from './english.ts'

export const french: typeof english = {
  layout: {
    skip: 'Aller au contenu',
    fault: 'Erreur\u00a0:',
    faultTitle: 'Un point demande votre attention',
    sandbox: 'Environnement de test\u00a0: aucune dette, aucun message ni aucun paiement n’est réel ici.',
    back: 'Retour au récapitulatif',
    footer: 'Page fournie par Relance, logiciel de suivi de factures.',
  },
  title: {
    toPayTo: 'à payer à',
    paid: 'C’est payé, merci',
    paidSum,
    paidTo: 'à',
    time_barred: 'Rien ne vous est demandé ici',
    closed: 'Ce dossier est clos',
    disputed: 'Contestation enregistrée\u00a0: les rappels sont arrêtés',
    upheld: 'Votre contestation est acceptée',
  },
  intro: {
    one: 'Facture',
    dueOn: date => `, échéance le ${date}.`,
    several: count => `${count} factures\u00a0:`,
    andOthers: ' et d’autres',
    addressedTo: 'À l’attention de',
    onBehalf: (collector, creditor) => `${creditor} a chargé ${collector} de ce recouvrement amiable.`,
  },
  actions: {
    label: 'Ce que vous pouvez faire',
    pay: 'Payer',
    card: 'Payer par carte',
    promise: 'Dire quand je paierai',
    dispute: 'Je ne suis pas d’accord',
    payment_sent: 'J’ai déjà payé',
    invoice_not_received: 'Je n’ai pas reçu la facture',
    notMe: 'Ce message n’est pas pour moi',
    situation: 'Surendettement, procédure collective, décès, tutelle ou usurpation d’identité',
    stop: 'Ne plus recevoir de messages',
  },
  pay: { title: 'Comment payer' },
  nextContact: {
    running: date =>
      `Sans paiement ni réponse de votre part, le prochain message ou appel est prévu le ${date}.`,
    promised: (date, until) =>
      `Paiement prévu le ${date}.${until ? ` Vous ne recevrez pas de rappel avant le ${until}.` : ''}`,
    paused: 'Les rappels sont suspendus. Vous n’avez rien à faire sur cette page.',
    disputed: creditor =>
      `Vous contestez. Les rappels sont arrêtés jusqu’à la décision ${withDe(creditor)}. Elle sera affichée sur cette page, et vous sera envoyée par e\u2011mail si vous en recevez.`,
    upheld: 'Les rappels sont arrêtés. Rien ne vous est demandé ici.',
    judicial: creditor =>
      `Ce dossier n’est plus suivi à l’amiable ici. Pour toute question, adressez-vous à ${creditor}.`,
    quiet: 'Aucun rappel n’est prévu.',
    paid: 'Il ne reste rien à faire. Vous ne recevrez plus de rappel à ce sujet.',
    time_barred: isSeveral =>
      isSeveral
        ? 'Le délai pour réclamer ces factures en justice semble dépassé. Rien ne vous est demandé ici.'
        : 'Le délai pour réclamer cette facture en justice semble dépassé. Rien ne vous est demandé ici.',
    closed: 'Nous ne suivons plus cette créance, et rien ne vous est demandé ici.',
  },
  transfer: {
    title: 'Payer par virement',
    intro:
      'Recopiez ces coordonnées dans votre application bancaire. Un clic ou un appui long sélectionne le texte encadré.',
    beneficiary: 'Titulaire du compte',
    iban: 'IBAN',
    compare: 'Comparez cet IBAN avec celui de votre facture.',
    doubt: creditor => `Un doute\u00a0? Téléphonez à ${creditor}\u00a0:`,
    amount: 'Montant',
    reference: 'Référence à indiquer',
    referenceHint: creditor => `Elle permet à ${creditor} de reconnaître votre paiement.`,
    qr: (creditor, sum) =>
      `Code pour applications bancaires\u00a0: virement de ${sum} à ${creditor}, avec les coordonnées écrites à côté`,
    showQr: 'Afficher le code pour applications bancaires',
    qrCaption: 'Pour les applications bancaires qui lisent les codes de paiement',
    directly: creditor => `L’argent va directement à ${creditor}, jamais par Relance.`,
  },
  creditorClosed: creditor =>
    `Relance n’envoie plus de messages pour ${creditor}, et rien ne peut être payé sur cette page. Avant de payer, adressez-vous à ${creditor}, à une adresse ou un numéro que vous connaissez par ailleurs.`,
  insolvency: {
    title: {
      safeguard: debtor => `Une procédure collective est ouverte pour ${debtor}`,
      receivership: debtor => `Une procédure collective est ouverte pour ${debtor}`,
      liquidation: debtor => `Une procédure collective est ouverte pour ${debtor}`,
      over_indebtedness: debtor => `Une procédure de surendettement est ouverte pour ${debtor}`,
      other: debtor => `Une procédure est ouverte pour ${debtor}`,
    },
    doNotPay: {
      safeguard: 'Ne payez rien ici\u00a0: adressez-vous au mandataire judiciaire.',
      receivership: 'Ne payez rien ici\u00a0: adressez-vous au mandataire judiciaire.',
      liquidation: 'Ne payez rien ici\u00a0: adressez-vous au liquidateur.',
      over_indebtedness: 'Ne payez rien ici\u00a0: adressez-vous à la commission de surendettement.',
      other:
        'Ne payez rien ici\u00a0: adressez-vous au mandataire judiciaire (ou à la commission de surendettement).',
    },
  },
  noWayToPay: creditor => `Pour payer, demandez ses coordonnées bancaires à ${creditor}.`,
  details: {
    title: 'Le détail',
    invoice: 'Facture',
    subject: 'Objet',
    issued: 'Émise le',
    due: 'Échéance',
    amount: 'Montant',
    paid: 'Déjà payé',
    credited: 'Avoirs',
    balance: 'Reste dû',
    indemnity: 'Indemnité forfaitaire pour frais de recouvrement',
    indemnityBasis: {
      business: 'art. D441-5 du Code de commerce',
      public_body: 'art. D2192-35 du Code de la commande publique',
    },
    interest: { business: 'Pénalités de retard', public_body: 'Intérêts moratoires' },
    interestBasis: {
      business: 'art. L441-10, II du Code de commerce',
      public_body: 'art. L2192-13 et R2192-31 du Code de la commande publique',
    },
    interestLine: (days, base, rate, from, to) =>
      `${days} ${days === 1 ? 'jour' : 'jours'} sur ${base} à ${rate}\u00a0%, du ${from} au ${to}`,
    asOf: date => `Tels que comptés dans notre message du ${date}.`,
    toPay: 'À payer',
    accessories: 'Intérêts et indemnité',
    total: 'Total',
    states: {
      running: 'à payer',
      promised: 'paiement prévu',
      paused: 'rappels suspendus',
      disputed: 'contestée',
      upheld: 'contestation acceptée',
      judicial: 'suivi arrêté',
      quiet: 'ouverte',
      paid: 'payée',
      time_barred: 'rien n’est demandé',
      closed: 'close',
    },
  },
  who: {
    title: 'Qui vous écrit',
    creditor: 'Créancier',
    mediator: 'Médiateur de la consommation',
    contact: 'Questions, justificatifs, difficultés à payer',
    collector: 'Chargé du recouvrement',
    collects:
      'Exerce une activité de recouvrement amiable. Ce n’est ni un commissaire de justice ni un tribunal.',
    letter: 'Notre lettre',
    letterOf: (reference, date) => `${reference} du ${date}`,
    answers: creditor => `Vos réponses sur cette page parviennent aussitôt à ${creditor}.`,
    more: 'Autres possibilités',
    data: 'Vos données et vos droits',
  },
  promise: {
    title: 'Dites quand vous paierez',
    intro: (sum, creditor) =>
      `Pour ${sum} à ${creditor}. Les rappels attendent jusqu’à deux jours ouvrés après le jour que vous choisissez.`,
    acknowledges:
      'Annoncer un paiement, c’est reconnaître la dette. Si vous n’êtes pas d’accord, contestez plutôt.',
    field: 'Je paierai le',
    hint: (from, to) => `Du ${from} au ${to}.`,
    submit: 'Confirmer cette date',
    done: date => `C’est noté\u00a0: paiement prévu le ${date}`,
    doneText: until =>
      `${until ? `Les rappels attendent jusqu’au ${until}. ` : 'Les rappels attendent. '}Ils s’arrêtent définitivement dès que le paiement est arrivé.`,
    change: 'Choisir un autre jour',
    nothing: 'Il n’y a rien à annoncer\u00a0: aucun paiement ne vous est demandé ici.',
    tooLate: 'Il n’est plus possible d’annoncer ici une date de paiement pour cette facture.',
    usedUp: creditor =>
      `Pour un nouveau délai, adressez-vous à ${creditor}\u00a0: vous avez déjà déplacé cette date une fois, ou 90 jours sont passés depuis la première, et c’est une personne qui décide désormais.`,
    faults: {
      date_missing: 'Choisissez un jour.',
      date_malformed: 'Indiquez le jour sous forme de date, par exemple 30/11/2026.',
      date_past: 'Ce jour est passé\u00a0; choisissez aujourd’hui ou un jour suivant.',
      date_far: 'Ce jour est trop lointain\u00a0; choisissez-en un parmi les jours indiqués.',
      used_up: 'Adressez-vous au créancier\u00a0: cette date ne peut plus être déplacée ici.',
    },
  },
  dispute: {
    title: 'Dites-nous pourquoi vous n’êtes pas d’accord',
    intro: creditor =>
      `Les rappels s’arrêtent aussitôt. ${creditor} reçoit votre motif. Sa décision sera affichée sur cette page, et vous sera envoyée par e\u2011mail si vous en recevez.`,
    invoice: 'Quelle facture',
    kind: 'Ce qui ne va pas',
    kinds: {
      not_received: 'Je n’ai pas reçu la marchandise ou la prestation',
      not_as_agreed: 'Ce que j’ai reçu n’est pas conforme, ou défectueux',
      wrong_amount: 'Le montant est faux',
      not_owed: 'Je n’ai rien commandé, ou je ne dois pas cette somme',
      other: 'Autre chose',
    },
    amount: 'Somme que vous contestez',
    amountHint: 'Facultatif. Par exemple 250,00. Laissez vide si vous contestez toute la facture.',
    words: 'Avec vos mots',
    wordsHint: 'Facultatif, sauf si vous avez choisi «\u00a0Autre chose\u00a0». 400 caractères au plus.',
    submit: 'Envoyer et arrêter les rappels',
    done: 'Les rappels sont arrêtés',
    doneText: (number, creditor) =>
      `Votre contestation de la facture ${number} est enregistrée. Nous en avons informé ${creditor}. Hormis une confirmation par e\u2011mail, rien ne vous sera envoyé à ce sujet avant sa décision. Elle sera affichée sur cette page, et vous sera envoyée par e\u2011mail si vous en recevez.`,
    reasonWithWords: (kind, words) => `${kind}\u00a0: ${words}`,
    reason: 'Ce que vous nous avez dit',
    sum: 'Somme contestée',
    inFlight: channels =>
      `Un message était déjà parti et peut encore vous parvenir\u00a0: ${channels}. N’en tenez pas compte.`,
    another: 'Contester une autre facture',
    nothing: 'Il n’y a rien à contester\u00a0: rien ne vous est demandé ici.',
    faults: {
      invoice_unknown: 'Choisissez une des factures.',
      kind_unknown: 'Choisissez ce qui ne va pas.',
      amount_unreadable: 'Indiquez une somme avec deux décimales, par exemple 250,00.',
      amount_high: balance =>
        `C’est plus que ce qui reste dû de la facture\u00a0: ${balance}. Pour tout contester, laissez ce champ vide.`,
      words_missing: 'Dites-nous en quelques mots ce qui ne va pas.',
      words_long: 'C’est trop long\u00a0; 400 caractères au plus.',
      words_characters: 'Un caractère ne peut pas être utilisé ici\u00a0; saisissez le texte à nouveau.',
    },
  },
  decision: {
    title: 'Réponse à votre contestation',
    about: date => `(${date}), facture`,
    rejected: creditor => `${creditor} maintient la facture.`,
    /** Where nothing is asked any more. */
    refused: 'Votre contestation n’a pas été retenue.',
    partly: (creditor, credit, balance) =>
      `${creditor} accepte votre contestation pour ${credit}.${balance === null ? '' : ` Il reste à payer ${balance}.`}`,
    upheld: creditor => `${creditor} accepte votre contestation. Les rappels de cette facture sont arrêtés.`,
    resumed: creditor =>
      `${creditor} avait accepté votre contestation, et vous réclame de nouveau cette facture.`,
    reason: 'Motif\u00a0:',
  },
  answers: {
    title: {
      payment_sent: 'Vous avez déjà payé\u00a0?',
      invoice_not_received: 'La facture ne vous est pas parvenue\u00a0?',
    },
    intro: creditor =>
      `Les rappels s’arrêtent aussitôt, jusqu’à ce ${withQue(creditor)} ait lu votre réponse.`,
    submit: { payment_sent: 'Oui, j’ai déjà payé', invoice_not_received: 'Je n’ai pas reçu la facture' },
    done: 'Les rappels sont arrêtés',
    doneText: creditor =>
      `Nous avons noté votre réponse et prévenu ${creditor}. D’ici à ce qu’elle soit lue, vous ne recevrez pas de rappel. Un message déjà parti peut encore vous parvenir.`,
    nothing: 'Il n’y a rien à répondre\u00a0: rien ne vous est demandé ici.',
  },
  notMe: {
    title: 'Ce message n’est pas pour vous\u00a0?',
    email:
      'Nous n’écrirons plus jamais à cette adresse e\u2011mail à ce sujet, et cette page ne montrera plus rien.',
    phone: 'Nous ne contacterons plus jamais ce numéro à ce sujet, et cette page ne montrera plus rien.',
    letter: (creditor, email) =>
      `Vous avez reçu une lettre qui n’est pas pour vous. Dites-le à ${creditor} à l’adresse ${email}, en rappelant la référence de la lettre, et renvoyez-la à l’expéditeur si vous le pouvez.`,
    consequence: 'Les rappels s’arrêtent jusqu’à ce que le créancier ait trouvé la bonne adresse.',
    ifYours: 'Si la facture est bien la vôtre mais que vous n’êtes pas d’accord, contestez-la plutôt.',
    submit: 'Oui, je ne suis pas cette personne',
    done: 'Merci, et pardon pour le dérangement',
    doneText:
      'C’est noté\u00a0: nous n’utiliserons plus cette adresse ou ce numéro à ce sujet. Cette page ne montre plus rien, et vous n’avez rien d’autre à faire.',
  },
  situation: {
    title: 'Dites-nous votre situation',
    intro: creditor =>
      `Les rappels s’arrêtent aussitôt. ${creditor} doit vérifier ce que vous dites avant de vous écrire à nouveau.`,
    kind: 'Ce qui se passe',
    kinds: {
      insolvency: 'Un dossier de surendettement ou une procédure collective est en cours',
      deceased: 'La personne à qui vous écrivez est décédée',
      identity_theft: 'Quelqu’un a utilisé mon identité',
      protected_person: 'La personne est mineure ou protégée (tutelle, curatelle)',
    },
    submit: 'Envoyer et arrêter les rappels',
    done: 'Les rappels sont arrêtés',
    doneText: creditor =>
      `Les rappels sont arrêtés. ${creditor} doit vérifier ce que vous avez dit avant de vous écrire à nouveau. Un message déjà parti peut encore vous parvenir.`,
    nothing: 'Il n’y a rien à signaler\u00a0: rien ne vous est demandé ici.',
    another: 'Autre chose à signaler',
    faults: { kind_unknown: 'Choisissez ce qui se passe.' },
  },
  stop: {
    title: {
      email: 'Ne plus recevoir d’e\u2011mails de notre part',
      sms: 'Ne plus recevoir de SMS de notre part',
      voice: 'Ne plus recevoir d’appels de notre part',
    },
    text: {
      email: 'Nous ne vous écrirons plus par e\u2011mail.',
      sms: 'Nous ne vous enverrons plus de SMS.',
      voice: 'Nous ne vous appellerons plus.',
    },
    receipts: 'Seule la quittance d’un paiement peut encore vous parvenir par e\u2011mail.',
    remains:
      'Cela ne change rien à ce qui est dû, et le créancier peut vous joindre autrement, par exemple par courrier.',
    otherWays: creditor => `${creditor} peut vous joindre autrement, par exemple par courrier.`,
    submit: { email: 'Arrêter les e\u2011mails', sms: 'Arrêter les SMS', voice: 'Arrêter les appels' },
    done: {
      email: 'C’est fait\u00a0: plus d’e\u2011mails',
      sms: 'C’est fait\u00a0: plus de SMS',
      voice: 'C’est fait\u00a0: plus d’appels',
    },
    inFlight: 'Un message déjà parti peut encore vous parvenir.',
    letter: creditor =>
      `Les lettres recommandées ne peuvent pas être arrêtées ici. Pour que ${creditor} vous joigne autrement, écrivez-lui.`,
  },
  card: {
    title: 'Payer par carte',
    which: 'Quelle facture',
    text: creditor =>
      `Vous continuez sur la page sécurisée de notre prestataire de paiement. L’argent va directement à ${creditor}\u00a0; Relance ne voit pas votre carte.`,
    submit: sum => `Payer ${sum}`,
    submitPlain: 'Continuer vers la page de paiement',
    failed: 'La page de paiement n’a pas pu s’ouvrir',
    failedText: orTransfer =>
      `Rien n’a été prélevé. Vous pouvez réessayer dans quelques minutes${orTransfer}.`,
    nothing: 'Il n’y a rien à payer par carte ici.',
    received: 'Paiement reçu, merci',
    receivedText: 'Nous avons enregistré votre paiement.',
    settled: 'Il ne reste rien à payer sur cette facture, et les rappels sont arrêtés.',
    waiting: 'Merci\u00a0: votre banque confirme sous peu',
    waitingText:
      'Dès que la confirmation nous parvient, le paiement est enregistré. Cela prend d’ordinaire une minute.',
    refresh: 'Regarder à nouveau',
    notPaid: 'Le paiement n’a pas abouti',
    notPaidText: orTransfer => `Rien n’a été prélevé. Vous pouvez réessayer${orTransfer}.`,
    orTransfer: ', ou payer par virement',
    faults: { invoice_unknown: 'Choisissez une des factures.' },
  },
  simulated: {
    title: 'Paiement par carte simulé',
    text: 'Ceci est le bac à sable\u00a0: aucune carte n’est demandée et aucun argent ne bouge.',
    pay: 'Simuler un paiement',
    refuse: 'Simuler une carte refusée',
    cancel: 'Annuler',
  },
  letterCode: {
    title: 'Tapez le code de votre lettre',
    text: 'Il est écrit sur la première page, à côté du carré noir et blanc.',
    field: 'Code',
    hint: 'Douze lettres et chiffres. Majuscules, espaces et tirets ne comptent pas.',
    submit: 'Ouvrir mon dossier',
    faults: {
      malformed: 'Ce code n’est pas complet. Il a douze lettres et chiffres, sans 0, 1, I, L ni O.',
      unknown:
        'Ce code n’ouvre aucun dossier. Comparez chaque caractère avec la lettre. Un code fonctionne 180 jours.',
    },
  },
  channels: { email: 'un e\u2011mail', sms: 'un SMS', voice: 'un appel', lrar: 'une lettre recommandée' },
  failures: {
    dead: {
      title: 'Ce lien ne fonctionne plus',
      text: 'Il est peut-être incomplet ou trop ancien. Ouvrez le lien de notre dernier message, ou recopiez-le en entier.',
      who: 'Vous pouvez toujours vous adresser à l’entreprise nommée dans le message\u00a0: ses coordonnées y figurent.',
    },
    400: { title: 'Nous n’avons pas pu lire cela', text: 'Revenez en arrière et réessayez.' },
    403: {
      title: 'Ce formulaire vient d’ailleurs',
      text: 'Ouvrez le lien de notre message et remplissez le formulaire qui s’y trouve.',
    },
    404: { title: 'Il n’y a rien ici', text: 'Ouvrez à nouveau le lien de notre message.' },
    429: { title: 'Trop de demandes', text: 'Patientez une minute et réessayez.' },
    500: { title: 'Quelque chose a échoué chez nous', text: 'Réessayez dans quelques minutes.' },
    503: { title: 'Le service est indisponible quelques minutes', text: 'Réessayez dans quelques minutes.' },
    reference: 'Référence\u00a0:',
  },
}
