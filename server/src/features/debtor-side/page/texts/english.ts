/** All texts of the debtor's pages, except the data notice. */
export const english = {
  layout: {
    skip: 'Skip to content',
    fault: 'Error:',
    faultTitle: 'One thing needs your attention',
    sandbox: 'Test environment: no debt, no message and no payment here is real.',
    back: 'Back to the summary',
    footer: 'Page provided by Relance, invoice follow-up software.',
  },
  title: {
    toPayTo: 'payable to',
    paid: 'Paid, thank you',
    paidSum: (sum: string) => `${sum} paid`,
    paidTo: 'to',
    time_barred: 'Nothing is asked of you here',
    closed: 'This case is closed',
    disputed: 'Disputed: the reminders have stopped',
    upheld: 'Your dispute was accepted',
  },
  intro: {
    /** Before the number of the invoice, and after it. */
    one: 'Invoice',
    dueOn: (date: string) => `, due ${date}.`,
    /** Before the first numbers, and after them. */
    several: (count: number) => `${count} invoices:`,
    andOthers: ' and others',
    addressedTo: 'Addressed to',
    onBehalf: (collector: string, creditor: string) =>
      `${collector} has been instructed by ${creditor} to recover this amicably.`,
  },
  actions: {
    label: 'What you can do',
    pay: 'Pay',
    card: 'Pay by card',
    promise: 'Say when I will pay',
    dispute: 'I do not agree',
    payment_sent: 'I have already paid',
    invoice_not_received: 'I never received the invoice',
    notMe: 'This is not for me',
    situation: 'Over-indebtedness, insolvency, a death, guardianship or identity theft',
    stop: 'Stop messages',
  },
  pay: { title: 'How to pay' },
  nextContact: {
    running: (date: string) =>
      `Without payment or a reply from you, the next message or call is planned for ${date}.`,
    promised: (date: string, until: string | null) =>
      `Payment planned for ${date}.${until ? ` You won’t be reminded before ${until}.` : ''}`,
    paused: 'The reminders are paused. You do not have to do anything on this page.',
    disputed: (creditor: string) =>
      `You dispute this. The reminders have stopped until ${creditor} has decided. Its decision will be shown on this page, and emailed to you if you receive emails.`,
    upheld: 'The reminders have stopped. Nothing is asked of you here.',
    judicial: (creditor: string) =>
      `This claim is no longer followed up here. For any question, please contact ${creditor}.`,
    quiet: 'No reminder is planned.',
    paid: 'There is nothing left to do. No more reminders will be sent for it.',
    time_barred: (isSeveral: boolean): string =>
      isSeveral
        ? 'The time to claim these invoices in court seems to be over. Nothing is asked of you here.'
        : 'The time to claim this invoice in court seems to be over. Nothing is asked of you here.',
    closed: 'We no longer follow up this claim, and nothing is asked of you here.',
  },
  transfer: {
    title: 'Pay by bank transfer',
    intro: 'Copy these details into your banking app. A click or a long press selects the framed text.',
    beneficiary: 'Account holder',
    iban: 'IBAN',
    compare: 'Compare this IBAN with the one on your invoice.',
    doubt: (creditor: string) => `In doubt? Call ${creditor}:`,
    amount: 'Amount',
    reference: 'Reference to give',
    referenceHint: (creditor: string) => `It lets ${creditor} recognise your payment.`,
    qr: (creditor: string, sum: string) =>
      `Code for banking apps: transfer of ${sum} to ${creditor}, with the details written beside it`,
    showQr: 'Show the code for banking apps',
    qrCaption: 'For banking apps that read payment codes',
    directly: (creditor: string) => `The money goes straight to ${creditor}, never through Relance.`,
  },
  creditorClosed: (creditor: string) =>
    `Relance sends no more messages for ${creditor}, and nothing can be paid on this page. Before you pay anything, ask ${creditor} itself, at an address or a number you know from elsewhere.`,
  insolvency: {
    title: {
      safeguard: (debtor: string) => `Insolvency proceedings are open for ${debtor}`,
      receivership: (debtor: string) => `Insolvency proceedings are open for ${debtor}`,
      liquidation: (debtor: string) => `Insolvency proceedings are open for ${debtor}`,
      over_indebtedness: (debtor: string) => `An over-indebtedness procedure is open for ${debtor}`,
      other: (debtor: string) => `Proceedings are open for ${debtor}`,
    },
    doNotPay: {
      safeguard: 'Do not pay anything here: contact the insolvency practitioner.',
      receivership: 'Do not pay anything here: contact the insolvency practitioner.',
      liquidation: 'Do not pay anything here: contact the liquidator.',
      over_indebtedness: 'Do not pay anything here: contact the over-indebtedness commission.',
      other:
        'Do not pay anything here: contact the insolvency practitioner (or the over-indebtedness commission).',
    },
  },
  noWayToPay: (creditor: string) => `To pay, please ask ${creditor} for its bank details.`,
  details: {
    title: 'In detail',
    invoice: 'Invoice',
    subject: 'Subject',
    issued: 'Issued',
    due: 'Due',
    amount: 'Amount',
    paid: 'Paid',
    credited: 'Credit notes',
    balance: 'Still owed',
    indemnity: 'Fixed compensation for recovery costs',
    indemnityBasis: {
      business: 'art. D441-5 of the French Commercial Code',
      public_body: 'art. D2192-35 of the French Public Procurement Code',
    },
    interest: { business: 'Late-payment penalties', public_body: 'Late-payment interest' },
    interestBasis: {
      business: 'art. L441-10, II of the French Commercial Code',
      public_body: 'art. L2192-13 and R2192-31 of the French Public Procurement Code',
    },
    interestLine: (days: number, base: string, rate: string, from: string, to: string) =>
      `${days} ${days === 1 ? 'day' : 'days'} on ${base} at ${rate}%, ${from} to ${to}`,
    asOf: (date: string) => `As counted in our message of ${date}.`,
    toPay: 'To pay',
    accessories: 'Interest and compensation',
    total: 'Total',
    states: {
      running: 'to be paid',
      promised: 'payment planned',
      paused: 'reminders paused',
      disputed: 'disputed',
      upheld: 'dispute accepted',
      judicial: 'follow-up ended',
      quiet: 'open',
      paid: 'paid',
      time_barred: 'nothing asked',
      closed: 'closed',
    },
  },
  who: {
    title: 'Who writes to you',
    creditor: 'Creditor',
    mediator: 'Consumer mediator (free of charge)',
    contact: 'Questions, documents, trouble paying',
    collector: 'Recovery by',
    collects:
      'Its business is amicable recovery (recouvrement amiable). It is neither a bailiff nor a court.',
    letter: 'Our letter',
    letterOf: (reference: string, date: string) => `${reference} of ${date}`,
    answers: (creditor: string) => `Your answers on this page reach ${creditor} at once.`,
    more: 'More',
    data: 'Your data and your rights',
  },
  promise: {
    title: 'Say when you will pay',
    intro: (sum: string, creditor: string) =>
      `For ${sum} to ${creditor}. The reminders wait until two working days after the day you choose.`,
    acknowledges:
      'By announcing a payment you acknowledge the debt. If you do not agree with it, dispute it instead.',
    field: 'I will pay on',
    hint: (from: string, to: string) => `From ${from} to ${to}.`,
    submit: 'Confirm this date',
    done: (date: string) => `Noted: payment planned for ${date}`,
    doneText: (until: string | null) =>
      `${until ? `The reminders wait until ${until}. ` : 'The reminders wait. '}They stop for good once the payment has arrived.`,
    change: 'Choose another day',
    nothing: 'There is nothing to announce: no payment is being asked of you here.',
    tooLate: 'A payment date can no longer be announced here for this invoice.',
    usedUp: (creditor: string) =>
      `To put it off further, contact ${creditor}: you have already moved this date once, or 90 days have passed since you first named one, and a person now decides.`,
    faults: {
      date_missing: 'Choose a day.',
      date_malformed: 'Give the day as a date, such as 30/11/2026.',
      date_past: 'This day has passed; choose today or a later one.',
      date_far: 'This day is too far ahead; choose one of the days given.',
      used_up: 'Contact the creditor: this date can no longer be moved here.',
    },
  },
  dispute: {
    title: 'Tell us why you do not agree',
    intro: (creditor: string) =>
      `The reminders stop at once. ${creditor} receives your reason. Its decision will be shown on this page, and emailed to you if you receive emails.`,
    invoice: 'Which invoice',
    kind: 'What is wrong',
    kinds: {
      not_received: 'I did not receive the goods or the service',
      not_as_agreed: 'What I received is not as agreed, or is faulty',
      wrong_amount: 'The amount is wrong',
      not_owed: 'I did not order this, or I do not owe it',
      other: 'Something else',
    },
    amount: 'The sum that you dispute',
    amountHint: 'Optional. For example 250.00. Leave it empty if you dispute the whole invoice.',
    words: 'In your own words',
    wordsHint: 'Optional unless you chose “Something else”. At most 400 characters.',
    submit: 'Send, and stop the reminders',
    done: 'The reminders have stopped',
    doneText: (number: string, creditor: string) =>
      `Your dispute of invoice ${number} is recorded. We have told ${creditor}. Apart from an email confirmation you won’t hear about it until its decision, which will be shown on this page, and emailed to you if you receive emails.`,
    reasonWithWords: (kind: string, words: string) => `${kind}: ${words}`,
    reason: 'What you told us',
    sum: 'Sum disputed',
    inFlight: (channels: string) =>
      `One message had left already and may still reach you: ${channels}. Please disregard it.`,
    another: 'Dispute another invoice',
    nothing: 'There is nothing to dispute: nothing is being asked of you here.',
    faults: {
      invoice_unknown: 'Choose one of the invoices.',
      kind_unknown: 'Choose what is wrong.',
      amount_unreadable: 'Give a sum with two decimals, for example 250.00.',
      amount_high: (balance: string) =>
        `This is more than is still owed of the invoice: ${balance}. To dispute all of it, leave this empty.`,
      words_missing: 'Tell us in a few words what is wrong.',
      words_long: 'This is too long; at most 400 characters.',
      words_characters: 'A character cannot be used here; please type the text again.',
    },
  },
  decision: {
    title: 'Answer to your dispute',
    about: (date: string) => `(${date}), invoice`,
    rejected: (creditor: string) => `${creditor} maintains the invoice.`,
    /** Where nothing is asked any more. */
    refused: 'Your dispute was not accepted.',
    partly: (creditor: string, credit: string, balance: string | null) =>
      `${creditor} accepts your dispute for ${credit}.${balance === null ? '' : ` ${balance} is still to be paid.`}`,
    upheld: (creditor: string) =>
      `${creditor} accepts your dispute. The reminders of this invoice have stopped.`,
    resumed: (creditor: string) =>
      `${creditor} had accepted your dispute, and now claims this invoice from you again.`,
    reason: 'Reason:',
  },
  answers: {
    title: {
      payment_sent: 'Have you already paid?',
      invoice_not_received: 'You never received the invoice?',
    },
    intro: (creditor: string) => `The reminders stop at once, until ${creditor} has read your answer.`,
    submit: {
      payment_sent: 'Yes, I have already paid',
      invoice_not_received: 'I never received the invoice',
    },
    done: 'The reminders have stopped',
    doneText: (creditor: string) =>
      `We have noted your answer and told ${creditor}. You won’t be reminded until it has been read. A message that has already left may still reach you.`,
    nothing: 'There is nothing to answer: nothing is asked of you here.',
  },
  notMe: {
    title: 'This is not for you?',
    email:
      'We will never write to this email address about this matter again, and this page will show nothing any more.',
    phone:
      'We will never contact this number about this matter again, and this page will show nothing any more.',
    letter: (creditor: string, email: string) =>
      `You received a letter that is not for you. Please tell ${creditor} at ${email}, with the reference on the letter, and return it to the sender if you can.`,
    consequence: 'The reminders stop until the creditor has found the right address.',
    ifYours: 'If the invoice is yours but you do not agree with it, dispute it instead.',
    submit: 'Yes, I am not this person',
    done: 'Thank you, and sorry for the trouble',
    doneText:
      'Noted: we will not use this address or number for this matter again. This page no longer shows anything, and you do not have to do anything else.',
  },
  situation: {
    title: 'Tell us your situation',
    intro: (creditor: string) =>
      `The reminders stop at once. ${creditor} has to check what you tell us before it writes to you again.`,
    kind: 'What is happening',
    kinds: {
      insolvency: 'Over-indebtedness or insolvency proceedings are under way',
      deceased: 'The person you write to has died',
      identity_theft: 'Somebody used my identity',
      protected_person: 'The person is a minor or under guardianship',
    },
    submit: 'Send and stop the reminders',
    done: 'The reminders have stopped',
    doneText: (creditor: string) =>
      `The reminders have stopped. ${creditor} has to check what you told us before it writes to you again. A message that has already left may still reach you.`,
    nothing: 'There is nothing to report: nothing is asked of you here.',
    another: 'Something else to report',
    faults: { kind_unknown: 'Choose what is happening.' },
  },
  stop: {
    title: {
      email: 'No more emails from us',
      sms: 'No more text messages from us',
      voice: 'No more calls from us',
    },
    text: {
      email: 'We will no longer write to you by email.',
      sms: 'We will no longer send you text messages.',
      voice: 'We will no longer call you.',
    },
    /** Of a collector. */
    receipts: 'Only the receipt for a payment may still reach you by email.',
    remains:
      'This changes nothing in what is owed, and the creditor may reach you another way, such as by letter.',
    /** Before the visitor is identified. */
    otherWays: (creditor: string) => `${creditor} may reach you another way, such as by letter.`,
    submit: { email: 'Stop emails', sms: 'Stop text messages', voice: 'Stop calls' },
    done: {
      email: 'Done: no more emails',
      sms: 'Done: no more text messages',
      voice: 'Done: no more calls',
    },
    inFlight: 'A message that has left already may still reach you.',
    letter: (creditor: string) =>
      `Registered letters cannot be stopped here. To be reached another way, write to ${creditor}.`,
  },
  card: {
    title: 'Pay by card',
    which: 'Which invoice',
    text: (creditor: string) =>
      `You continue on the secure page of our payment provider. The money goes straight to ${creditor}; Relance does not see your card.`,
    submit: (sum: string) => `Pay ${sum}`,
    submitPlain: 'Continue to the payment page',
    failed: 'The payment page could not be opened',
    failedText: (orTransfer: string) => `Nothing was taken. Please try again in a few minutes${orTransfer}.`,
    nothing: 'There is nothing to pay by card here.',
    received: 'Payment received, thank you',
    receivedText: 'We have recorded your payment.',
    settled: 'Nothing is left to pay on this invoice, and the reminders have stopped.',
    waiting: 'Thank you: your bank confirms shortly',
    waitingText:
      'As soon as the confirmation reaches us, the payment is recorded. Usually this takes a minute.',
    refresh: 'Look again',
    notPaid: 'The payment did not go through',
    notPaidText: (orTransfer: string) => `Nothing was taken. You can try again${orTransfer}.`,
    orTransfer: ', or pay by bank transfer',
    faults: { invoice_unknown: 'Choose one of the invoices.' },
  },
  simulated: {
    title: 'Simulated card payment',
    text: 'This is the sandbox: no card is asked for and no money moves.',
    pay: 'Simulate a payment',
    refuse: 'Simulate a refused card',
    cancel: 'Cancel',
  },
  letterCode: {
    title: 'Type the code of your letter',
    text: 'It is written on the first page, beside the black and white square.',
    field: 'Code',
    hint: 'Twelve letters and digits. Capitals, spaces and dashes do not matter.',
    submit: 'Open my case',
    faults: {
      malformed: 'This code is not complete. It has twelve letters and digits, and no 0, 1, I, L or O.',
      unknown: 'This code opens no case. Compare each character with the letter. A code works for 180 days.',
    },
  },
  channels: { email: 'an email', sms: 'a text message', voice: 'a call', lrar: 'a registered letter' },
  failures: {
    dead: {
      title: 'This link does not work any more',
      text: 'It may be incomplete or too old. Open the link of our latest message, or copy it again in full.',
      who: 'You can always turn to the company named in the message: how to reach it stands there.',
    },
    400: { title: 'We could not read that', text: 'Please go back and try again.' },
    403: {
      title: 'This form came from elsewhere',
      text: 'Open the link in our message and fill in the form there.',
    },
    404: { title: 'There is nothing here', text: 'Open the link in our message again.' },
    429: { title: 'Too many requests', text: 'Please wait a minute and try again.' },
    500: { title: 'Something went wrong on our side', text: 'Please try again in a few minutes.' },
    503: {
      title: 'The service is unavailable for a few minutes',
      text: 'Please try again in a few minutes.',
    },
    reference: 'Reference:',
  },
}
