import { alsoOpenBlock, ibanInGroups, invoiceBlock, type Labels, page } from './layout.ts'
import { countOf, type Notice, referencesOf, sumOf, type Text } from './notice.ts'

export const frenchLabels: Labels = {
  language: 'fr',
  date: date => date.split('-').reverse().join('/'),
  invoice: 'Facture',
  issuedOn: 'Émise le',
  overdueSince: 'Échue le',
  dueOn: 'Échéance',
  owed: 'Reste dû',
  total: sum => `Total : ${sum}`,
  furtherInvoices: (count, sum) =>
    count === 1 ? `et une autre, ${sum}` : `et ${count} autres, ${sum} en tout`,
  alsoOpen: count =>
    count === 1
      ? 'Pour information, une autre facture est ouverte ; ce message ne porte pas sur elle :'
      : `Pour information, ${count} autres factures sont ouvertes ; ce message ne porte pas sur elles :`,
}

export const agree = (notice: Notice, one: string, several: string) => (countOf(notice) > 1 ? several : one)

const others = (count: number) => (count === 1 ? 'une autre' : `${count} autres`)
export const references = (notice: Notice, named: number) => referencesOf(notice, 'fr', named, others)
export const sum = (notice: Notice) => sumOf(notice, 'fr')

export const about = (notice: Notice) => `facture ${references(notice, 1)}, ${sum(notice)}`

export const theInvoices = (notice: Notice) => agree(notice, 'la facture suivante', 'les factures suivantes')

export const alreadyPaid = 'Si votre paiement est déjà parti, merci de ne pas tenir compte de ce message.'

export function payment(notice: Notice): string | null {
  const { creditor, invoices } = notice
  if (creditor.iban === null) return null
  const reference = agree(notice, `la référence ${invoices[0]?.number}`, 'les numéros des factures')
  return `Pour régler : virement à ${creditor.name}, IBAN ${ibanInGroups(creditor.iban)}, en rappelant ${reference}.`
}

type By = 'email' | 'lrar'

const reach = ({ creditor }: Notice, by: By) =>
  by === 'email'
    ? `Répondez à ce message : votre réponse arrive directement chez ${creditor.name} (${creditor.replyEmail}).`
    : `Écrivez à ${creditor.name} : ${creditor.replyEmail}.`

export const answer = (notice: Notice, by: By) =>
  `Vous contestez ${agree(notice, 'cette facture', 'une de ces factures')}, vous souhaitez un délai ou vous n'êtes pas la bonne personne ? ${reach(notice, by)}`

export const question = (notice: Notice) => `Une question ? ${reach(notice, 'email')}`

const dataNotice = (notice: Notice) => {
  const { name, replyEmail } = notice.creditor
  return `Vos données
${name} est responsable du traitement de vos données ; Relance agit pour son compte. Transmises par ${name}, elles servent uniquement au recouvrement de ${agree(notice, 'cette facture', 'ces factures')}. Vous pouvez y accéder, les faire rectifier ou effacer, ou vous opposer à leur usage en écrivant à ${replyEmail}, et saisir la CNIL (www.cnil.fr).`
}

const dataReminder = ({ creditor }: Notice) =>
  `Vos données : pour y accéder, les faire rectifier ou effacer, ou vous opposer à leur usage, écrivez à ${creditor.replyEmail}.`

interface Letter {
  subject: string
  before: string
  after: readonly (string | null)[]
  /** In full where the message may be the first that is read. */
  data: 'full' | 'short'
  labels?: Labels
}

export const write = (
  notice: Notice,
  { subject, before, after, data, labels = frenchLabels }: Letter,
): Text => ({
  subject: `${notice.creditor.name} : ${subject}`,
  body: page(
    `${notice.debtor.name},`,
    before,
    invoiceBlock(notice, labels),
    ...after,
    alsoOpenBlock(notice, frenchLabels),
    data === 'full' ? dataNotice(notice) : dataReminder(notice),
    `Relance, pour ${notice.creditor.name}`,
  ),
})
