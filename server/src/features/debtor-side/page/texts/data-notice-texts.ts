import type { DebtorType } from '../../../../domain/debtor-type.ts'
import type { Language } from '../../../access/people/texts/page-texts.ts'

interface NoticeFacts {
  creditor: string
  contact: string
  /** Who acts for the creditor: the collector on its mandate, else us. */
  processor: string
  type: DebtorType
}

/** A heading and its paragraphs. */
type Section = readonly [title: string, ...paragraphs: string[]]

/** Art. L110-4 C. com., art. L218-2 C. conso., loi 68-1250. */
const years: Record<DebtorType, Record<Language, string>> = {
  business: { fr: 'cinq ans', en: 'five years' },
  consumer: { fr: 'deux ans', en: 'two years' },
  public_body: { fr: 'quatre ans', en: 'four years' },
}

export const dataTitle = { fr: 'Vos données et vos droits', en: 'Your data and your rights' }

/** The information required by art. 13 and 14 of the GDPR. */
export const dataNotice: Record<Language, (about: NoticeFacts) => readonly Section[]> = {
  fr: ({ creditor, contact, processor, type }) => [
    [
      'Qui est responsable',
      `${creditor} est responsable du traitement de vos données. ${processor} agit pour son compte et selon ses instructions (art. 28 du RGPD). Pour toute question\u00a0: ${contact}.`,
    ],
    [
      'Pourquoi, et sur quelle base',
      `Vos données servent à recouvrer à l’amiable les factures montrées ici, à recueillir vos réponses et à prouver les échanges. La base est l’exécution du contrat qui vous lie à ${creditor} et son intérêt légitime à être payé (art. 6, § 1, b et f du RGPD)\u00a0; les règles comptables imposent de garder certaines pièces (art. 6, § 1, c).`,
      'Les messages, y compris la mise en demeure, partent automatiquement selon un calendrier. Aucune action en justice n’est engagée sans la décision d’une personne.',
    ],
    [
      'Quelles données, et d’où elles viennent',
      `Votre nom, vos coordonnées, vos factures et paiements, les messages envoyés et vos réponses. ${creditor} nous les a transmises, ou vous nous les avez données ici.`,
    ],
    [
      'Qui les reçoit',
      `${creditor}, ${processor}, et les prestataires qui acheminent e-mails, SMS, lettres, appels et paiements, chacun pour sa part. Pendant un appel, un logiciel transcrit vos paroles, et un modèle de langage prépare les réponses. Vos données ne sont ni vendues ni utilisées à d’autres fins.`,
    ],
    [
      'Combien de temps',
      `Tant que le recouvrement dure, puis comme preuve jusqu’à la fin de la prescription, en principe ${years[type].fr}, et les pièces comptables dix ans chez le créancier. Ensuite elles sont effacées. Ce lien cesse de fonctionner 180 jours après l’envoi du message.`,
    ],
    [
      'Vos droits',
      `Vous pouvez accéder à vos données, les faire rectifier ou effacer, en limiter l’usage, vous y opposer pour des raisons tenant à votre situation, et donner des directives pour après votre décès\u00a0: écrivez à ${contact}. Vous pouvez saisir la CNIL, 3 place de Fontenoy, TSA 80715, 75334 Paris Cedex 07, www.cnil.fr.`,
    ],
    [
      'Cette page',
      'Elle ne pose aucun cookie, ne charge rien d’ailleurs et ne mesure pas votre visite. Si nous ignorions si notre message vous est parvenu, l’ouverture du lien nous l’apprend, et rien de plus.',
    ],
  ],
  en: ({ creditor, contact, processor, type }) => [
    [
      'Who is responsible',
      `${creditor} is the controller of your data. ${processor} acts on its behalf and on its instructions (art. 28 GDPR). For any question: ${contact}.`,
    ],
    [
      'Why, and on which basis',
      `Your data serves to recover the invoices shown here amicably, to receive your answers and to prove what was exchanged. The basis is the performance of your contract with ${creditor} and its legitimate interest in being paid (art. 6(1)(b) and (f) GDPR); accounting law obliges it to keep some documents (art. 6(1)(c)).`,
      'Messages, the formal notice included, leave automatically according to a calendar. No legal action is taken without the decision of a person.',
    ],
    [
      'Which data, and where it comes from',
      `Your name, your contact details, your invoices and payments, the messages sent and your answers. ${creditor} gave it to us, or you gave it here.`,
    ],
    [
      'Who receives it',
      `${creditor}, ${processor}, and the providers that carry emails, text messages, letters, calls and payments, each for its part. During a call, software transcribes what you say, and a language model prepares the answers. Your data is neither sold nor used for anything else.`,
    ],
    [
      'For how long',
      `While the recovery lasts, then as proof until the claim is time-barred, as a rule ${years[type].en}, and accounting documents for ten years at the creditor. After that it is erased. This link stops working 180 days after the message was sent.`,
    ],
    [
      'Your rights',
      `You may ask for access to your data, have it corrected or erased, restrict its use, object to it on grounds relating to your situation, and leave instructions for after your death: write to ${contact}. You may complain to the French authority, CNIL, 3 place de Fontenoy, TSA 80715, 75334 Paris Cedex 07, France, www.cnil.fr.`,
    ],
    [
      'This page',
      'It sets no cookie, loads nothing from elsewhere and does not measure your visit. If we did not know whether our message reached you, opening the link tells us that, and nothing more.',
    ],
  ],
}
