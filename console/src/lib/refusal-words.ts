import { type ActObstacle, type DebtorAct, type ErrorCode, type FaultCode, RelanceError } from '@relance/sdk'
import { defineWords, type Language, wordsIn } from './language.tsx'
import { names, type Reason } from './names.ts'

/** Codes that have their words elsewhere: causes in `names`, obstacles of an act beside the acts. */
type ActCode = ActObstacle | NonNullable<DebtorAct['because']>
type OwnCode = Exclude<FaultCode, ActCode | Reason>

/** What every refusal of the API means to the person who filled in a form. A new code does not compile until it has its words. */
export const refusalWords = defineWords(
  {
    kinds: {
      right: { means: 'Votre rôle ne le permet pas.', next: 'Demandez-le à un responsable de la société.' },
      session: { means: 'Votre session a pris fin.', next: 'Reconnectez-vous, puis recommencez.' },
      busy: { means: 'Trop de demandes à la fois.', next: 'Attendez quelques secondes, puis recommencez.' },
      value: { means: 'Une valeur n’est pas acceptée.', next: 'Corrigez les champs marqués.' },
      gone: { means: 'Cela n’existe pas ou plus.', next: 'Rechargez la page.' },
      twice: { means: 'Cela existe déjà.', next: 'Vérifiez l’historique avant de recommencer.' },
      paid: { means: 'La facture est déjà payée.', next: 'Il n’y a plus rien à faire ici.' },
      changed: {
        means: 'Le dossier a changé entre-temps.',
        next: 'Rechargez la page, puis décidez à nouveau.',
      },
      leaving: {
        means: 'Un message est en train de partir.',
        next: 'Attendez quelques secondes, puis recommencez.',
      },
      state: { means: 'L’état du dossier ne le permet pas.', next: 'Levez d’abord ce qui l’empêche.' },
      outside: { means: 'Un prestataire ne répond pas.', next: 'Recommencez dans quelques minutes.' },
      ours: {
        means: 'Une erreur est survenue chez nous.',
        next: 'Recommencez\u00a0; si cela dure, donnez-nous le numéro de la demande.',
      },
      silent: {
        means: 'Aucune réponse n’est arrivée.',
        next: 'Vérifiez votre connexion, puis recommencez\u00a0: rien ne sera fait deux fois.',
      },
    },
    faults: {
      invalid: 'Cette valeur n’est pas acceptée.',
      missing: 'Ce champ est à remplir.',
      required: 'Ce champ ne peut pas être vidé.',
      empty: 'Ce champ est à remplir.',
      repeated: 'C’est donné deux fois.',
      immutable: 'Cette valeur ne se modifie plus.',
      unchanged: 'Rien n’a été modifié.',
      not_together: 'Cette valeur ne va pas avec les autres.',
      unknown_field: 'La page n’est plus à jour\u00a0: rechargez-la.',
      unknown_parameter: 'La page n’est plus à jour\u00a0: rechargez-la.',
      forbidden_character:
        'Un caractère invisible n’est pas accepté\u00a0: tapez le texte au lieu de le coller.',
      too_long: 'Le texte est trop long.',
      too_small: 'C’est trop peu.',
      too_big: 'C’est trop.',
      invalid_type: 'Cette valeur n’a pas la bonne forme.',
      invalid_value: 'Ce choix n’est pas possible.',
      invalid_format: 'Cette valeur n’a pas la bonne forme.',
      invalid_union: 'Cette valeur n’a pas la bonne forme.',
      invalid_key: 'Cette valeur n’a pas la bonne forme.',
      invalid_element: 'Une des valeurs n’a pas la bonne forme.',
      not_multiple_of: 'Cette valeur n’a pas la bonne forme.',
      email_format: 'Ce n’est pas une adresse e-mail, comme compta@exemple.fr.',
      phone_format: 'Ce n’est pas un numéro de téléphone, comme +33\u00a06\u00a012\u00a034\u00a056\u00a078.',
      siret_format: 'Un SIRET a 14 chiffres.',
      day_format: 'Ce n’est pas une date.',
      moment_format: 'Ce n’est pas une date avec son heure.',
      amount_range: 'Cette somme n’est pas possible.',
      past: 'Cette date est passée.',
      future: 'Cette date n’est pas encore venue.',
      too_far: 'Cette date est trop éloignée.',
      before_issue: 'C’est avant la date de la facture.',
      before_filing: 'C’est avant le jour du dépôt.',
      above_owed: 'C’est plus que ce qui est dû.',
      above_balance: 'C’est plus que ce qui reste dû.',
      above_invoice: 'C’est plus que le montant de la facture.',
      above_sum: 'La répartition dépasse la somme reçue.',
      invoice_twice: 'Une facture est nommée deux fois.',
      other_currency: 'La facture est dans une autre monnaie.',
      role_of_company:
        'D’un particulier, seuls un tuteur, un héritier ou un avocat sont notés, avec leur motif.',
      role_of_consumer: 'Ce rôle est réservé aux particuliers.',
      ground_missing: 'Le motif est nécessaire.',
      ground_without_role: 'Un motif n’est noté que pour un tuteur, un héritier ou un avocat.',
      main: 'C’est le contact principal\u00a0: choisissez-en d’abord un autre.',
      reference_taken:
        'Un paiement de cette facture porte déjà cette référence\u00a0: il n’a pas été enregistré deux fois.',
      number_taken: 'Ce numéro existe déjà\u00a0: donnez-en un autre.',
      siret_taken: 'Un autre client a déjà ce SIRET.',
      not_for_this_situation: 'Cette décision ne va pas avec ce qui est signalé.',
      not_replaceable: 'La prochaine étape ne peut pas être remplacée\u00a0: envoyez le message en plus.',
      unknown_column: 'Cette colonne n’est pas dans le fichier.',
      unknown_sheet: 'Cette feuille n’est pas dans le fichier.',
      capital_missing: 'Le capital de la société est à donner avec sa forme.',
      not_opened_here: 'Ce compte s’ouvre sur la page des paiements par carte.',
      fixed: 'Ce texte ne se remplace pas.',
      forbidden_word: 'Un de ces mots ne s’écrit pas dans une relance.',
      payment_details: 'Un lien ou un compte bancaire ne s’écrit pas ici.',
      unknown_placeholder: 'Un des champs entre accolades ne peut pas être rempli.',
      sum_shown: 'D’autres peuvent voir l’écran d’un particulier\u00a0: aucune somme ici.',
      number_shown: 'Le lien de ce SMS demande le numéro de la facture\u00a0: le texte ne le donne pas.',
      no_invoice: 'Ce client n’a aucune facture à laquelle répondre.',
      no_moment: 'Aucune heure d’envoi n’est connue pour le pays de ce client.',
      message_over: 'Ce message n’attend plus d’être envoyé.',
      reply_read: 'La réponse a déjà été traitée. Enregistrez à part ce qui en découle.',
      decided: 'C’est déjà décidé.',
      erased: 'Les données de cette personne sont effacées\u00a0: sa fiche ne change plus.',
      payment_status: 'L’état de ce paiement ne le permet pas.',
      mediator_missing:
        'Un particulier doit connaître un médiateur, et aucun n’est enregistré\u00a0: un propriétaire l’ajoute sur la page de la société.',
      too_many_people: 'Il y a déjà le plus grand nombre de contacts\u00a0: retirez d’abord quelqu’un.',
      too_many_invoices: 'C’est trop de factures à la fois\u00a0: faites-le en plusieurs fois.',
      limit_of_own_promises: 'Le client a déjà changé cette date une fois.',
      task_status: 'L’état de cet import ne le permet pas.',
      too_many_tasks: 'Trop de tâches attendent déjà\u00a0: attendez que l’une d’elles se termine.',
      file_deleted: 'Le fichier a été supprimé pendant son envoi\u00a0: envoyez-le à nouveau.',
      no_header:
        'Aucune ligne de titres n’a été trouvée\u00a0: ajoutez-la au fichier, puis importez-le de nouveau.',
      columns_unreadable: 'Dites d’abord ce que sont les colonnes.',
      import_undone: 'Cet import est déjà annulé.',
      csrf: 'La page n’est plus à jour\u00a0: rechargez-la.',
      foreign_page: 'La page n’est plus à jour\u00a0: rechargez-la.',
      not_a_member: 'Vous n’êtes pas membre de cette société.',
      other_role: 'Un autre rôle de la société peut le faire.',
      owner_only: 'Seul un propriétaire de la société peut le faire.',
      fresh_sign_in: 'Votre connexion date de plus de dix minutes\u00a0: reconnectez-vous d’abord.',
      own_change: 'Un autre propriétaire doit confirmer votre modification.',
      new_owner: 'Un propriétaire depuis plus de 24 heures doit le confirmer.',
      stopped_by_person: 'Une personne a arrêté les envois\u00a0: une personne les reprend.',
      malformed_url: 'Ce n’est pas une adresse, comme https://exemple.fr/relance.',
      not_https: 'L’adresse doit commencer par https://.',
      userinfo: 'L’adresse ne doit pas contenir de mot de passe.',
      forbidden_port: 'Ce port n’est pas accepté.',
      local_name: 'Cette adresse est celle d’un réseau privé.',
      non_public_address: 'Cette adresse n’est pas publique.',
      outside_base: 'Cette adresse n’est pas publique.',
      url_not_resolving: 'Le nom de cette adresse n’est pas connu.',
    } satisfies Record<OwnCode, string>,
    blockedBy: (list: string) => `Ce qui l’empêche\u00a0: ${list}.`,
    requestId: 'Numéro de la demande',
    copy: 'Copier',
    copied: 'Copié',
  },
  {
    kinds: {
      right: { means: 'Your role does not allow it.', next: 'Ask a manager of the company.' },
      session: { means: 'Your session has ended.', next: 'Sign in again, then repeat it.' },
      busy: { means: 'Too many requests at once.', next: 'Wait a few seconds, then repeat it.' },
      value: { means: 'A value is not accepted.', next: 'Correct the marked fields.' },
      gone: { means: 'This does not exist, or not any more.', next: 'Reload the page.' },
      twice: { means: 'This exists already.', next: 'Look at the history before you repeat it.' },
      paid: { means: 'The invoice is already paid.', next: 'There is nothing left to do here.' },
      changed: { means: 'The case has changed meanwhile.', next: 'Reload the page, then decide again.' },
      leaving: { means: 'A message is leaving right now.', next: 'Wait a few seconds, then repeat it.' },
      state: { means: 'The state of the case does not allow it.', next: 'First end what prevents it.' },
      outside: { means: 'A provider does not answer.', next: 'Repeat it in a few minutes.' },
      ours: {
        means: 'Something went wrong on our side.',
        next: 'Repeat it; if it lasts, give us the number of the request.',
      },
      silent: {
        means: 'No answer has come.',
        next: 'Check your connection, then repeat it: nothing will be done twice.',
      },
    },
    faults: {
      invalid: 'This value is not accepted.',
      missing: 'This field is needed.',
      required: 'This field cannot be emptied.',
      empty: 'This field is needed.',
      repeated: 'It is given twice.',
      immutable: 'This value does not change any more.',
      unchanged: 'Nothing was changed.',
      not_together: 'This value does not go with the others.',
      unknown_field: 'The page is out of date: reload it.',
      unknown_parameter: 'The page is out of date: reload it.',
      forbidden_character: 'An invisible character is not accepted: type the text instead of pasting it.',
      too_long: 'The text is too long.',
      too_small: 'It is too little.',
      too_big: 'It is too much.',
      invalid_type: 'This value does not have the right form.',
      invalid_value: 'This choice is not possible.',
      invalid_format: 'This value does not have the right form.',
      invalid_union: 'This value does not have the right form.',
      invalid_key: 'This value does not have the right form.',
      invalid_element: 'One of the values does not have the right form.',
      not_multiple_of: 'This value does not have the right form.',
      email_format: 'This is no email address, such as accounts@example.com.',
      phone_format: 'This is no telephone number, such as +33 6 12 34 56 78.',
      siret_format: 'A SIRET has 14 digits.',
      day_format: 'This is no date.',
      moment_format: 'This is no date with its time.',
      amount_range: 'This sum is not possible.',
      past: 'This day has passed.',
      future: 'This day has not come yet.',
      too_far: 'This day is too far ahead.',
      before_issue: 'It is before the date of the invoice.',
      before_filing: 'It is before the day of the filing.',
      above_owed: 'It is more than what is owed.',
      above_balance: 'It is more than what is still owed.',
      above_invoice: 'It is more than the invoice.',
      above_sum: 'The split is more than the sum received.',
      invoice_twice: 'An invoice is named twice.',
      other_currency: 'The invoice is in another currency.',
      role_of_company: 'Of a consumer only a guardian, an heir or a lawyer is recorded, with the ground.',
      role_of_consumer: 'This role is for consumers.',
      ground_missing: 'The ground is needed.',
      ground_without_role: 'A ground is only recorded of a guardian, an heir or a lawyer.',
      main: 'This is the main person: choose another one first.',
      reference_taken: 'A payment of this invoice has this reference already: it was not recorded twice.',
      number_taken: 'This number exists already: give another one.',
      siret_taken: 'Another debtor has this SIRET already.',
      not_for_this_situation: 'This decision does not go with what was reported.',
      not_replaceable: 'The next step cannot be replaced: send the message beside it.',
      unknown_column: 'This column is not in the file.',
      unknown_sheet: 'This sheet is not in the file.',
      capital_missing: 'The capital of the company goes with its form.',
      not_opened_here: 'This account is opened on the page of card payments.',
      fixed: 'This text cannot be replaced.',
      forbidden_word: 'One of these words is not written in a reminder.',
      payment_details: 'A link or a bank account is not written here.',
      unknown_placeholder: 'One of the fields in braces cannot be filled in.',
      sum_shown: 'Others may see the screen of a private person: no sum here.',
      number_shown: 'The link of this SMS asks for the invoice number: the text does not give it.',
      no_invoice: 'This debtor has no invoice to answer about.',
      no_moment: 'No hours of sending are known for the country of this debtor.',
      message_over: 'This message does not wait to leave any more.',
      reply_read: 'The reply was dealt with already. Record on its own what follows from it.',
      decided: 'It is decided already.',
      erased: 'The data of this person is erased: the record does not change any more.',
      payment_status: 'The state of this payment does not allow it.',
      mediator_missing:
        'A consumer has to be told of a mediator, and none is on record: an owner adds it on the page of the company.',
      too_many_people: 'There are as many people as there can be: remove somebody first.',
      too_many_invoices: 'These are too many invoices at once: do it in parts.',
      limit_of_own_promises: 'The debtor has moved this day once already.',
      task_status: 'The state of this import does not allow it.',
      too_many_tasks: 'Too many tasks are waiting already: wait for one of them to end.',
      file_deleted: 'The file was deleted while it arrived: send it again.',
      no_header: 'No line of titles was found: add one to the file, then import it again.',
      columns_unreadable: 'First say what the columns are.',
      import_undone: 'This import is undone already.',
      csrf: 'The page is out of date: reload it.',
      foreign_page: 'The page is out of date: reload it.',
      not_a_member: 'You are no member of this company.',
      other_role: 'Another role of the company may do it.',
      owner_only: 'Only an owner of the company may do it.',
      fresh_sign_in: 'You signed in more than ten minutes ago: sign in again first.',
      own_change: 'Another owner has to confirm your change.',
      new_owner: 'An owner of more than 24 hours has to confirm it.',
      stopped_by_person: 'A person stopped the sending: a person starts it again.',
      malformed_url: 'This is no address, such as https://example.com/relance.',
      not_https: 'The address has to begin with https://.',
      userinfo: 'The address must not hold a password.',
      forbidden_port: 'This port is not accepted.',
      local_name: 'This address is that of a private network.',
      non_public_address: 'This address is not public.',
      outside_base: 'This address is not public.',
      url_not_resolving: 'The name of this address is not known.',
    },
    blockedBy: list => `What prevents it: ${list}.`,
    requestId: 'Number of the request',
    copy: 'Copy',
    copied: 'Copied',
  },
)

type Kind = keyof (typeof refusalWords)['fr']['kinds']

const kinds = {
  AUTH_001: 'session',
  AUTH_002: 'session',
  AUTH_003: 'session',
  AUTH_004: 'right',
  AUTH_005: 'right',
  AUTH_006: 'right',
  AUTH_007: 'right',
  RATE_001: 'busy',
  RATE_002: 'busy',
  RATE_003: 'busy',
  VAL_001: 'value',
  VAL_002: 'value',
  VAL_003: 'value',
  VAL_004: 'value',
  VAL_005: 'value',
  RES_001: 'gone',
  RES_002: 'twice',
  RES_003: 'changed',
  RES_004: 'leaving',
  BIZ_001: 'paid',
  BIZ_002: 'state',
  BIZ_003: 'gone',
  BIZ_004: 'state',
  WH_001: 'outside',
  WH_002: 'value',
  WH_003: 'right',
  SVC_001: 'outside',
  SVC_002: 'outside',
  SVC_003: 'outside',
  SYS_001: 'ours',
  SYS_002: 'ours',
  SYS_003: 'gone',
  FORBIDDEN_FIELD_MODIFICATION: 'state',
  NO_ANSWER: 'silent',
  TIMEOUT: 'silent',
  UNREADABLE: 'ours',
} as const satisfies Record<ErrorCode | RelanceError['code'], Kind>

/** The kind of a refusal; any other error is a fault of the console. */
export const kindOf = (error: unknown): Kind =>
  error instanceof RelanceError && Object.hasOwn(kinds, error.code) ? kinds[error.code] : 'ours'

type Sentences = Readonly<Record<string, string>>
const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)

/** The sentence of a fault. `more`: sentences that only the caller has. A newer server may know more codes than this page. */
export function faultSentence(code: string, language: Language, more: Sentences = {}): string {
  const { faults } = wordsIn(refusalWords, language)
  const known: Sentences = { ...faults, ...more }
  const reasons: Sentences = wordsIn(names, language).reasons
  if (Object.hasOwn(known, code)) return known[code]!
  return Object.hasOwn(reasons, code) ? `${capital(reasons[code]!)}.` : faults.invalid
}

interface Told {
  /** Sentences that only the caller has. */
  readonly more?: Sentences
  /** The fields at which a fault is told already. */
  readonly marked?: readonly string[]
}

/** What a refusal means and what to do, in the language of the reader: the API writes its sentences in English. */
export function tellRefusal(
  error: unknown,
  language: Language,
  { more = {}, marked = [] }: Told = {},
): readonly string[] {
  const { kinds: words, faults, blockedBy } = wordsIn(refusalWords, language)
  const kind = kindOf(error)
  const { means, next } = words[kind]
  const isOfField = kind === 'value' || kind === 'twice'
  const details = error instanceof RelanceError ? error.details : []
  const codes = details.filter(({ field }) => !isOfField || !marked.includes(field)).map(({ code }) => code)
  const known: Sentences = { ...faults, ...more }
  const reasons: Sentences = wordsIn(names, language).reasons
  const told = [...new Set(codes)].filter(code => Object.hasOwn(known, code)).map(code => known[code]!)
  const causes = codes.filter(code => !Object.hasOwn(known, code) && Object.hasOwn(reasons, code))
  if (causes.length > 0)
    return [means, blockedBy(causes.map(code => reasons[code]!).join(', ')), ...told, next]
  // A sentence of a fault says what to do, if anything can be done.
  return told.length === 0 || kind === 'value' ? [means, ...told, next] : told
}

/** The same in one line. */
export const refusalSentence = (error: unknown, language: Language, told: Told = {}): string =>
  tellRefusal(error, language, told).join(' ')
