import type { DebtorType } from '../../../../domain/debtor-type.ts'
import { replyTextDaysMax } from '../../../../domain/retention.ts'
import { shownTelephone } from '../../../recovery/messages/compose/texts/template-writer.ts'
import { fr, withDe, withQue } from '../../../recovery/messages/compose/texts/typography.ts'
import {
  has,
  type NoticeFacts,
  type NoticeSection,
  providersOutsideEu,
  shownProvider,
  type Use,
} from '../notice-facts.ts'

/** Art. L110-4 C. com., art. L218-2 C. conso., loi 68-1250. */
const limitation: Record<DebtorType, string> = {
  business: 'cinq ans entre professionnels',
  consumer: 'deux ans pour un consommateur',
  public_body: 'quatre ans pour un organisme public',
}

const uses: Record<Use, string> = {
  email: 'E-mails',
  sms: 'SMS',
  lrar: 'Lettres recommandées',
  voice: 'Appels et transcription',
  payment: 'Paiement en ligne',
  model: 'Modèle de langage (IA)',
}

const list = new Intl.ListFormat('fr', { type: 'conjunction' })

const controller = ({
  creditor,
  address,
  contact,
  telephone,
  collector,
  operator,
}: NoticeFacts): NoticeSection => ({
  title: 'Qui est responsable',
  paragraphs: [
    `${creditor} est responsable de vos données.${address === null ? '' : fr` Adresse : ${address}.`}`,
    collector === null
      ? `${creditor} utilise le logiciel Relance.`
      : `${collector} recouvre à l’amiable pour ${creditor}, avec le logiciel Relance.`,
    `Ce logiciel est exploité par ${operator}. Cet exploitant traite vos données selon les instructions ${withDe(creditor)} (art. 28 du RGPD).`,
    fr`Pour toute question sur vos données : ${contact}${telephone === null ? '' : ` ou ${shownTelephone(telephone)}`}.`,
  ],
})

/** The contract is with a consumer; who works for a business or a public body has none. */
const isParty = ({ type }: NoticeFacts) => type === 'consumer'

const rights = (facts: NoticeFacts): NoticeSection => ({
  title: 'Vos droits',
  paragraphs: [
    `Écrivez à ${facts.contact}. La loi donne en principe un mois à ${facts.creditor} pour répondre.`,
  ],
  points: [
    ['Accéder', 'Savoir quelles données sont traitées, et en recevoir une copie.'],
    ['Rectifier', 'Faire corriger ce qui est faux ou incomplet.'],
    ['Effacer', 'Faire effacer vos données, sauf ce que la loi permet ou oblige de garder.'],
    ['Limiter', 'Faire suspendre leur usage, par exemple pendant une vérification.'],
    [
      'S’opposer',
      isParty(facts)
        ? 'Refuser la preuve des échanges ou le score, fondés sur l’intérêt légitime. Il faut des raisons tenant à votre situation (art. 21 du RGPD).'
        : 'Refuser le recouvrement amiable par ces messages, la preuve des échanges ou le score, fondés sur l’intérêt légitime. Il faut des raisons tenant à votre situation (art. 21 du RGPD).',
    ],
    // Art. 20 GDPR: only where the basis is a contract or consent.
    ...(isParty(facts)
      ? [
          [
            'Récupérer',
            'Recevoir les données que vous avez fournies, dans un format lisible par une machine.',
          ] as const,
        ]
      : []),
    ['Après votre décès', 'Dire ce que vos données doivent devenir.'],
    ['Réclamer', fr`Saisir la CNIL : 3 place de Fontenoy, TSA 80715, 75334 Paris Cedex 07, www.cnil.fr.`],
  ],
})

const purposes = ({ creditor, ...facts }: NoticeFacts): NoticeSection => ({
  title: 'Pourquoi, et sur quelle base',
  paragraphs: [],
  points: [
    [
      'Recouvrer les factures à l’amiable, recueillir vos réponses',
      isParty({ creditor, ...facts })
        ? `Le contrat qui vous lie à ${creditor} (art. 6, § 1, b du RGPD).`
        : `L’intérêt légitime ${withDe(creditor)} à être payé par votre organisation (art. 6, § 1, f du RGPD). Vous pouvez vous y opposer pour des raisons tenant à votre situation.`,
    ],
    [
      'Prouver les échanges, estimer le risque d’impayé',
      `L’intérêt légitime ${withDe(creditor)} à être payé (art. 6, § 1, f).`,
    ],
    ['Tenir la comptabilité', `Une obligation légale ${withDe(creditor)} (art. 6, § 1, c).`],
  ],
})

const categories = ({ creditor }: NoticeFacts): NoticeSection => ({
  title: 'Quelles données, et d’où elles viennent',
  paragraphs: [
    'Votre nom, vos coordonnées et votre langue. Vos factures, paiements, promesses et contestations. Les messages envoyés, leur remise et vos réponses sur cette page.',
    `${creditor} les a fournies, ou vous-même. Si vous répondez à un message, votre texte et les noms des pièces jointes sont gardés chiffrés, pour que ${creditor} puisse les lire. Le contenu des pièces jointes ne l’est pas.`,
  ],
})

const decisions = ({ creditor }: NoticeFacts): NoticeSection => ({
  title: 'Messages automatiques et score de risque',
  paragraphs: [
    'Les messages, y compris la mise en demeure, partent automatiquement selon un calendrier. Aucune action en justice n’est engagée sans la décision d’une personne.',
    `Un score de 0 à 195 estime le risque d’impayé. Il vient de vos factures, paiements, promesses et contestations chez ${creditor}. La remise de nos messages, votre silence et l’étape atteinte comptent aussi. Rien ne vient d’ailleurs. ${creditor} peut le voir.`,
    'Ce score peut changer le calendrier des messages. Pour une personne physique, il ne rapproche jamais une lettre recommandée ni l’étape judiciaire.',
  ],
})

const calls: NoticeSection = {
  title: 'Si nous vous appelons',
  paragraphs: [
    'Une intelligence artificielle parle, et le dit dès sa première phrase. Un logiciel transcrit vos paroles et les transmet à un modèle de langage pendant l’appel.',
    fr`Nous ne gardons ni enregistrement ni transcription : seulement le résultat et une courte note.`,
  ],
}

function recipients(facts: NoticeFacts): NoticeSection {
  const { creditor, collector, contact } = facts
  const outside = providersOutsideEu(facts)
  return {
    title: 'Qui reçoit vos données',
    paragraphs: [
      `${collector === null ? creditor : `${creditor} et ${collector}`}, les logiciels ${withQue(creditor)} y raccorde, et ces prestataires, chacun pour sa part. Vos données ne sont pas vendues.`,
    ],
    points: [
      ...facts.recipients.map(
        one =>
          [
            uses[one.use],
            shownProvider(one, 'fr') ?? 'un serveur choisi par l’exploitant de Relance',
          ] as const,
      ),
      ['Exploitation du logiciel', facts.operator],
      ['Hébergement', facts.host],
      ...(has(facts, 'model')
        ? [
            [
              'Usage du modèle',
              `Il aide ${creditor} à consulter ses dossiers${has(facts, 'voice') ? ', et conduit les appels' : ''}.`,
            ] as const,
          ]
        : []),
      [
        'Hors de l’Union européenne',
        outside.length === 0
          ? 'Aucun prestataire nommé ici n’y a son siège.'
          : `${list.format(outside)}. Vos données peuvent y être traitées. Pour connaître les garanties (décision d’adéquation ou contrat, art. 45 et 46 du RGPD), écrivez à ${contact}.`,
      ],
    ],
  }
}

const duration = (months: number) =>
  months % 12 !== 0 ? `${months} mois` : months === 12 ? 'un an' : `${months / 12} ans`

const days = (count: number) => (count < 2 ? `${count} jour` : `${count} jours`)

/** It is erased in the night. */
const readRetention = (count: number) =>
  count === 0 ? 'dans la nuit qui suit sa lecture' : `${days(count)} après sa lecture`

const retention = ({ creditor, type, keepMonths, keepReplyDays, linkDays }: NoticeFacts): NoticeSection => ({
  title: 'Combien de temps',
  paragraphs: [
    `Un dossier est clos quand toutes ses factures sont payées, annulées ou classées comme irrécouvrables. Le logiciel le garde encore ${duration(keepMonths)}, puis il l’efface. ${creditor} a choisi cette durée${type === 'business' ? '' : ', dans la limite de la prescription'}.`,
    fr`Une preuve sert en principe jusqu’à la prescription : ${limitation[type]}.`,
    'Les pièces comptables se gardent dix ans. Elles restent alors bloquées : le logiciel ne les montre plus à personne.',
    fr`Le texte d’une réponse est effacé ${readRetention(keepReplyDays)}, et ${replyTextDaysMax} jours après son arrivée au plus tard.`,
    'Si vous avez refusé nos messages, une empreinte de votre adresse reste. Elle sert à ne plus vous écrire.',
    `Ce lien cesse de fonctionner ${linkDays} jours après l’envoi du message.`,
  ],
})

const page = ({ passMinutes }: NoticeFacts): NoticeSection => ({
  title: 'Cette page',
  paragraphs: [
    ...(passMinutes === null
      ? ['Elle ne pose aucun cookie.']
      : [
          `Elle pose un seul cookie. Il retient ${passMinutes} minutes que vous avez répondu à la question du lien. Votre réponse n’est pas gardée. Les réponses fausses sont comptées.`,
        ]),
    'Elle ne charge rien d’ailleurs et ne mesure pas votre visite. Si nous ignorions si notre message vous est parvenu, l’ouverture de la page nous l’apprend, et rien de plus.',
  ],
})

export const frenchNotice = (facts: NoticeFacts): NoticeSection[] => [
  controller(facts),
  rights(facts),
  purposes(facts),
  categories(facts),
  decisions(facts),
  ...(has(facts, 'voice') ? [calls] : []),
  recipients(facts),
  retention(facts),
  page(facts),
]
