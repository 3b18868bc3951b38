import { type Block, paragraph } from './block.ts'
import { ibanInGroups, type Labels } from './layout.ts'
import {
  agree,
  type Counted,
  countOf,
  type Notice,
  referencesOf,
  type Said,
  sumOf,
  toPay,
  transferReference,
} from './notice.ts'
import type { StatementWords } from './statement.ts'
import { partyOnOneLine, writer } from './written.ts'

export const frenchLabels: Labels = {
  language: 'fr',
  date: date => date.split('-').reverse().join('/'),
  invoice: 'Facture',
  issuedOn: 'Émise le',
  overdueSince: 'Échue le',
  dueOn: 'Échéance',
  owed: 'Reste dû',
  owedBefore: 'Reste dû, hors intérêts et indemnité',
  total: sum => `Total : ${sum}`,
  totalBefore: sum => `Total, hors intérêts et indemnité : ${sum}`,
  furtherInvoices: (count, sum) =>
    count === 1 ? `et une autre, ${sum}` : `et ${count} autres, ${sum} en tout`,
  alsoOpen: count =>
    count === 1
      ? 'Pour information, une autre facture est ouverte ; ce message ne porte pas sur elle :'
      : `Pour information, ${count} autres factures sont ouvertes ; ce message ne porte pas sur elles :`,
}

const statementWords: StatementWords = {
  title: on => `Ce qui est dû au ${on}`,
  principal: 'Principal',
  indemnity: count =>
    count === 1
      ? 'Indemnité forfaitaire pour frais de recouvrement'
      : `Indemnité forfaitaire pour frais de recouvrement, ${count} × 40\u00a0€`,
  interest: 'Intérêts de retard',
  total: 'Total',
  basis: {
    business: { indemnity: 'art. D441-5 C. com.', interest: 'art. L441-10 C. com.' },
    public_body: { indemnity: 'art. D2192-35 C. comm. publ.', interest: 'art. R2192-31 C. comm. publ.' },
  },
  period: ({ rate, days, from, to, base }) =>
    `Intérêts au taux de ${rate}\u00a0% l’an, ${days} ${days === 1 ? 'jour' : 'jours'} du ${from} au ${to}, sur ${base}.`,
  countedTo: day => `Les intérêts sont comptés jusqu’au ${day}.`,
  notBeyond: 'Aucun intérêt n’est réclamé ici pour les jours suivants.',
  noInterest: 'Aucun intérêt n’est compté dans ce relevé.',
  partial: 'Ce relevé ne porte que sur les factures en euros nommées ci-dessus et échues.',
}

const others = (count: number) => (count === 1 ? 'une autre' : `${count} autres`)
export const references = (notice: Notice, named: number) => referencesOf(notice, 'fr', named, others)
export const sum = (notice: Notice) => sumOf(notice, 'fr')

/** What a company's own words are filled with, and ours. */
export const saidInFrench = (notice: Notice): Said => ({
  creditor: notice.creditor.name,
  debtor: notice.debtor.name,
  reference: references(notice, 1),
  sum: sum(notice),
  dueDate: frenchLabels.date(notice.invoices[0]!.dueDate),
  isSeveral: countOf(notice) > 1,
})

export const about = ({ reference, sum: owed }: Said) => `facture ${reference}, ${owed}`

export const theInvoices = (of: Counted) => agree(of, 'la facture suivante', 'les factures suivantes')

export const alreadyPaid = 'Si votre paiement est déjà parti, merci de ne pas tenir compte de ce message.'

export function payment(notice: Notice): Block | null {
  const { creditor } = notice
  if (creditor.iban === null) return null
  return {
    kind: 'facts',
    title: 'Pour régler par virement :',
    rows: [
      ['Bénéficiaire', creditor.name],
      ['IBAN', ibanInGroups(creditor.iban)],
      ['Montant', toPay(notice, 'fr')],
      ['Référence', transferReference(notice, 'les numéros des factures')],
    ],
  }
}

export const action = (notice: Notice): Extract<Block, { kind: 'action' }> => ({
  kind: 'action',
  lead: 'Par ce lien, sans créer de compte, vous pouvez régler, proposer une date, contester ou dire que vous n’êtes pas la bonne personne.',
  label: 'Régler ou répondre',
  orCopy: 'Ou recopiez cette adresse dans votre navigateur :',
  link: notice.link,
})

type By = 'email' | 'lrar'

const reach = ({ creditor }: Notice, by: By) =>
  by === 'email'
    ? `répondre à ce message : votre réponse arrive directement chez ${creditor.name} (${creditor.replyEmail}).`
    : `écrire à ${creditor.name} : ${creditor.replyEmail}.`

export const answer = (notice: Notice, by: By): Block =>
  paragraph(
    `Vous contestez ${agree(notice, 'cette facture', 'une de ces factures')}, vous souhaitez un délai ou vous n’êtes pas la bonne personne ? Le lien ci-dessus vous permet de le dire ; vous pouvez aussi ${reach(notice, by)}`,
  )

export const question = (notice: Notice): Block =>
  paragraph(`Une question ? Vous pouvez ${reach(notice, 'email')}`)

const dataNotice = (notice: Notice): Block => {
  const { name, replyEmail } = notice.creditor
  const by = notice.collector?.name ?? 'Relance'
  return {
    kind: 'small',
    title: 'Vos données',
    text: `${name} est responsable du traitement de vos données ; ${by} agit pour son compte. Transmises par ${name}, elles servent uniquement au recouvrement de ${agree(notice, 'cette facture', 'ces factures')}. Vous pouvez y accéder, les faire rectifier ou effacer, ou vous opposer à leur usage en écrivant à ${replyEmail}, et saisir la CNIL (www.cnil.fr).`,
  }
}

const dataReminder = ({ creditor }: Notice): Block => ({
  kind: 'small',
  title: null,
  text: `Vos données : pour y accéder, les faire rectifier ou effacer, ou vous opposer à leur usage, écrivez à ${creditor.replyEmail}.`,
})

export const write = writer({
  labels: frenchLabels,
  statement: statementWords,
  link: action,
  mandate: {
    title: 'Recouvrement amiable :',
    rows: ({ creditor }, collector) => [
      ['Recouvrement amiable par', partyOnOneLine(collector)],
      ['Pour le créancier', partyOnOneLine(creditor)],
      ['Référence', collector.reference],
      ...(collector.first
        ? [
            [
              'Première lettre',
              `${collector.first.reference}, du ${frenchLabels.date(collector.first.on)}`,
            ] as const,
          ]
        : []),
    ],
    source: 'Article L111-8 du code des procédures civiles d’exécution, troisième et quatrième alinéas :',
  },
  data: { full: dataNotice, short: dataReminder },
  signature: (by, creditor) => `${by}, pour ${creditor}`,
})
