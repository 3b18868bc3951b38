import type { InvoiceInput } from './generated/types.ts'
import type { Relance } from './relance.ts'

const zone = 'Europe/Paris'
/** The first stages are weeks. Then comes a Friday at 11:00, and the Monday after it at 08:12. */
const friday = 9
const monday = 10

/** `2026-11-16`. */
type LocalDate = string

const addDays = (day: LocalDate, days: number): LocalDate =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

const inZone = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
/** `2026-11-16 08:45:00`, as clocks in France show a moment. */
const localText = (at: number) => inZone.format(at)

/** The moment at which clocks in France show this, such as `08:45`. */
function momentOf(day: LocalDate, time: string): string {
  const asUtc = Date.parse(`${day}T${time}:00Z`)
  const shown = Date.parse(`${localText(asUtc).replace(' ', 'T')}Z`)
  return new Date(asUtc - (shown - asUtc)).toISOString()
}

type Place = readonly [city: string, postalCode: string]
const lyon: Place = ['Lyon', '69003']
const paris: Place = ['Paris', '75011']
const strasbourg: Place = ['Strasbourg', '67000']
const reunion: Place = ['Saint-Denis', '97400']
const guadeloupe: Place = ['Pointe-à-Pitre', '97110']
const nantes: Place = ['Nantes', '44000']

interface Played {
  relance: Relance
  debtorId: string
  invoiceIds: readonly string[]
  /** The day of the sandbox. */
  today: LocalDate
}

type Act = (played: Played) => Promise<unknown>
/** What happens at which stage. */
type Story = Readonly<Record<number, Act>>

const first = ({ invoiceIds }: Played) => ({ invoiceId: invoiceIds[0]! })
const pays: Act = async ({ relance, invoiceIds }) => {
  for (const invoiceId of invoiceIds) await relance.sandbox.simulatePayment({ invoiceId })
}
const paysTheFirst: Act = played => played.relance.sandbox.simulatePayment(first(played))
const paysPart: Act = played =>
  played.relance.sandbox.simulatePayment({ ...first(played), amountCents: 40_000 })
const promises =
  (days: number): Act =>
  played =>
    played.relance.sandbox.simulatePromise({ ...first(played), date: addDays(played.today, days) })
const disputes =
  (reason: string): Act =>
  played =>
    played.relance.sandbox.simulateDispute({ ...first(played), reason })
const resolves =
  (outcome: 'upheld' | 'rejected'): Act =>
  ({ relance, invoiceIds }) =>
    relance.invoices.resolveDispute(invoiceIds[0]!, { outcome })
const answers =
  (
    said?:
      | 'payment_sent'
      | 'invoice_not_received'
      | 'waiting_approval'
      | 'hand_over'
      | 'deceased'
      | 'insolvency',
  ): Act =>
  played =>
    played.relance.sandbox.simulateReply({ ...first(played), ...(said && { said }) })
const writes =
  (from: string, text: string): Act =>
  played =>
    played.relance.sandbox.simulateReply({ ...first(played), from, subject: 'RE: Facture', text })
const bounces: Act = played => played.relance.sandbox.simulateBounced(first(played))
const receivesLetter: Act = played => played.relance.sandbox.simulateLrarSigned(first(played))
const refusesLetter: Act = played => played.relance.sandbox.simulateLrarRefused(first(played))
const isSomebodyElse: Act = ({ relance, debtorId }) =>
  relance.sandbox.simulateWrongPerson({ debtorId, point: 'email' })
const optsOut: Act = ({ relance, debtorId }) => relance.sandbox.simulateOptOut({ debtorId, channel: 'email' })
const isPaused: Act = ({ relance, debtorId, today }) =>
  relance.debtors.pause(debtorId, {
    until: `${addDays(today, 60)}T09:00:00+01:00`,
    reason: 'Échéancier en discussion',
  })
const isInReceivership: Act = ({ relance, debtorId, today }) =>
  relance.debtors.update(debtorId, {
    insolvency: { kind: 'receivership', openedOn: addDays(today, -4), publishedOn: today, court: 'Nantes' },
  })
const objects: Act = ({ relance, debtorId }) =>
  relance.debtors.recordDataRequest(debtorId, { kind: 'objection' })

interface Client {
  name: string
  /** The sums of its invoices, in euros. */
  sums: readonly number[]
  /** The week of its first invoice; the oldest cases begin in week 0. */
  from: number
  /** How late its invoices are when they arrive; below zero they are not due yet. */
  daysLate: number
  place?: Place
  type?: 'business' | 'consumer' | 'public_body'
  noPhone?: true
  story?: Story
}

const clients: readonly Client[] = [
  // Finished: to decide.
  { name: 'Scierie du Jura', sums: [11_886.43], from: 0, daysLate: 300 },
  { name: 'Mairie de Villefranche', sums: [1_039.4], from: 0, daysLate: 360, type: 'public_body' },
  { name: 'Menuiserie Bastide', sums: [2_310, 1_180.5], from: 0, daysLate: 150, place: nantes },
  { name: 'Cycles Roussel', sums: [742.8], from: 0, daysLate: 90 },
  { name: 'Traiteur Ducasse-Martin', sums: [4_850.2], from: 0, daysLate: 45, story: { 5: receivesLetter } },
  { name: 'Imprimerie Saint-Roch', sums: [3_612], from: 0, daysLate: 60, story: { 5: refusesLetter } },
  // They wrote: to read.
  {
    name: 'Sécurité Vauban',
    sums: [37_608.48, 3_120.5, 1_252.36],
    from: 1,
    daysLate: 80,
    story: {
      [monday]: writes(
        'Nadia Ferreira <n.ferreira@securite-vauban.example>',
        'Bonjour,\n\nCette facture a été validée vendredi par notre service travaux et sera réglée par virement le 27 novembre.\n\nJe ne retrouve pas la deuxième : pouvez-vous me l’adresser de nouveau ? Pour la dernière, je vois avec ma direction.\n\nCordialement,\nNadia Ferreira',
      ),
    },
  },
  {
    name: 'Pharmacie du Marché',
    sums: [39_386.17],
    from: 1,
    daysLate: 85,
    place: paris,
    story: {
      [friday]: writes(
        'Pharmacie du Marché <compta@pharmacie-du-marche.example>',
        'Le virement est parti hier, référence PDM-1187.',
      ),
    },
  },
  {
    name: 'Restaurant Le Cerf',
    sums: [4_362.8],
    from: 2,
    daysLate: 190,
    story: { 8: answers('payment_sent') },
  },
  {
    name: 'Imprimerie Nouvelle',
    sums: [5_641.74, 2_200],
    from: 3,
    daysLate: 70,
    story: { [friday]: answers('invoice_not_received') },
  },
  {
    name: 'Clinique des Lilas',
    sums: [9_940],
    from: 5,
    daysLate: 30,
    story: { 8: answers('waiting_approval') },
  },
  {
    name: 'Auberge du Pont Vieux',
    sums: [1_284.6],
    from: 4,
    daysLate: 20,
    story: { 7: answers('hand_over') },
  },
  // Promises: open, broken, kept.
  { name: 'Transports Vidal', sums: [9_578.93], from: 4, daysLate: 60, story: { 8: promises(3) } },
  { name: 'Hôtel des Trois Fontaines', sums: [5_240], from: 5, daysLate: 25, story: { 8: promises(2) } },
  { name: 'Garage de la Plaine', sums: [1_920.75], from: 6, daysLate: 14, story: { [friday]: promises(6) } },
  {
    name: 'Laboratoire Cassin',
    sums: [15_550, 2_404.1],
    from: 6,
    daysLate: 12,
    story: { [friday]: promises(5) },
  },
  {
    name: 'Ébénisterie Morel',
    sums: [2_805],
    from: 5,
    daysLate: 18,
    place: strasbourg,
    story: { 8: promises(12) },
  },
  {
    name: 'Atelier Vélo Belleville',
    sums: [690],
    from: 3,
    daysLate: 15,
    place: paris,
    story: { 5: promises(6), 6: pays },
  },
  // Disputes: open, rejected, upheld.
  {
    name: 'École de musique Ravel',
    sums: [12_350.26],
    from: 6,
    daysLate: 60,
    story: { 8: disputes('Deux heures facturées en trop le 12 mai.') },
  },
  {
    name: 'Garage Bellecour',
    sums: [3_310.5, 880],
    from: 7,
    daysLate: 20,
    story: { [friday]: disputes('La livraison était incomplète.') },
  },
  {
    name: 'Boulangerie Petit',
    sums: [419.46],
    from: 7,
    daysLate: 8,
    story: { 8: disputes('Le prix n’est pas celui du devis.') },
  },
  {
    name: 'Optique Lumière',
    sums: [2_190],
    from: 4,
    daysLate: 30,
    story: { 6: disputes('Montures non conformes.'), 7: resolves('rejected') },
  },
  {
    name: 'Jardins de Sologne',
    sums: [1_475.3],
    from: 4,
    daysLate: 25,
    story: { 6: disputes('Plants morts à l’arrivée.'), 7: resolves('upheld') },
  },
  // Addresses that do not work.
  { name: 'Fleurs de Provence', sums: [16_485.2], from: 7, daysLate: 40, story: { 8: bounces } },
  { name: 'Librairie du Canal', sums: [760.15], from: 7, daysLate: 10, story: { [friday]: bounces } },
  { name: 'Nettoyage Propréa', sums: [2_118.4], from: 7, daysLate: 30, story: { [friday]: isSomebodyElse } },
  { name: 'Chaudronnerie Alpine', sums: [6_730], from: 6, daysLate: 35, story: { 8: optsOut } },
  // What must stop everything.
  {
    name: 'Succession Lambert',
    sums: [318],
    from: 7,
    daysLate: 22,
    type: 'consumer',
    story: { [friday]: answers('deceased') },
  },
  {
    name: 'Ferronnerie Kléber',
    sums: [8_420],
    from: 6,
    daysLate: 44,
    place: strasbourg,
    story: { 8: answers('insolvency') },
  },
  {
    name: 'Meubles Atlantique',
    sums: [22_760.9],
    from: 3,
    daysLate: 55,
    place: nantes,
    story: { 8: isInReceivership },
  },
  { name: 'Cabinet dentaire Faure', sums: [1_150], from: 6, daysLate: 28, story: { [friday]: objects } },
  { name: 'Piscines Azurea', sums: [4_048], from: 5, daysLate: 33, story: { 7: isPaused } },
  // Money.
  { name: 'Brasserie du Canal', sums: [1_820, 640.5], from: 5, daysLate: 26, story: { 7: paysTheFirst } },
  { name: 'Fonderie Chabert', sums: [7_214.6], from: 4, daysLate: 42, story: { 7: paysPart } },
  {
    name: 'Ascenseurs Delorme',
    sums: [3_960, 3_960, 3_960],
    from: 3,
    daysLate: 65,
    story: { 6: paysTheFirst },
  },
  {
    name: 'Crèche Les Pommiers',
    sums: [1_512],
    from: 2,
    daysLate: 12,
    type: 'public_body',
    story: { 5: pays },
  },
  { name: 'Théâtre de la Halle', sums: [2_745.8], from: 3, daysLate: 17, story: { 5: pays } },
  { name: 'Café des Arts', sums: [286.9], from: 6, daysLate: 9, place: paris, story: { 7: pays } },
  { name: 'Studio Pixel', sums: [1_344], from: 6, daysLate: 6, story: { [friday]: pays } },
  { name: 'Vétérinaire du Lac', sums: [908.25], from: 5, daysLate: 13, story: { 8: pays } },
  // Reminded, at every step.
  { name: 'Charcuterie Morvan', sums: [1_964.3], from: 6, daysLate: 24 },
  { name: 'Élevage de la Combe', sums: [2_480], from: 5, daysLate: 31, place: reunion },
  { name: 'Rhumerie du Moule', sums: [5_118.7], from: 7, daysLate: 16, place: guadeloupe },
  { name: 'Claire Fontaine', sums: [156.4], from: 7, daysLate: 18, type: 'consumer' },
  { name: 'Gymnase Pulsion', sums: [1_230], from: 6, daysLate: 29 },
  { name: 'Climatisation Sirocco', sums: [9_312.5], from: 4, daysLate: 48 },
  { name: 'Événements Belle-Île', sums: [3_405.1], from: 7, daysLate: 15, place: nantes },
  { name: 'Poterie d’Alsace', sums: [640], from: 6, daysLate: 21, place: strasbourg },
  { name: 'Serrurerie du Centre', sums: [498.2, 112.6], from: 7, daysLate: 11, noPhone: true },
  { name: 'Collège Jean-Moulin', sums: [4_275], from: 5, daysLate: 38, type: 'public_body' },
  { name: 'Hélène Garnier', sums: [89.9], from: 6, daysLate: 33, type: 'consumer' },
  { name: 'Bureau d’études Trièdre', sums: [13_680], from: 6, daysLate: 52 },
  { name: 'Confiserie Mazet', sums: [1_088.5], from: 7, daysLate: 5 },
  { name: 'Plâtrerie Rossi', sums: [6_025.75], from: 5, daysLate: 40 },
  { name: 'Maraîchers Réunis', sums: [2_318.4, 1_960.1, 742.3], from: 7, daysLate: 26 },
  { name: 'Agence Nova', sums: [8_150], from: 7, daysLate: 14, place: paris },
  { name: 'Couverture Besson', sums: [3_777.7], from: 6, daysLate: 19 },
  { name: 'Domaine des Cèdres', sums: [5_904], from: 4, daysLate: 37 },
  { name: 'Office de tourisme du Vercors', sums: [1_695], from: 6, daysLate: 45, type: 'public_body' },
  { name: 'Joaillerie Dumas', sums: [14_210.8], from: 7, daysLate: 23, place: paris },
  { name: 'Paul Renaud', sums: [231.5], from: 7, daysLate: 27, type: 'consumer', noPhone: true },
  { name: 'Kinésithérapie du Parc', sums: [572], from: 8, daysLate: 12 },
  { name: 'Boucherie Central', sums: [1_101.25], from: 8, daysLate: 7 },
  { name: 'Menuiserie du Val', sums: [2_930], from: 8, daysLate: 4 },
  // Not due yet.
  { name: 'Papeterie Armand', sums: [1_450.9], from: 8, daysLate: -6 },
  { name: 'Carrelages Provence', sums: [7_866], from: 8, daysLate: -12 },
  { name: 'Institut Pasteur-Vallée', sums: [18_240], from: 8, daysLate: -20, type: 'public_body' },
  { name: 'Pépinières du Nord', sums: [3_018.6], from: 8, daysLate: -3 },
]

const plain = (name: string) =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-zA-Z]+/g, '-')
    .toLowerCase()
    .replaceAll(/^-|-$/g, '')

function invoicesOf(client: Client, at: number, today: LocalDate): InvoiceInput[] {
  const { name, sums, daysLate, type = 'business', place: [city, postalCode] = lyon, noPhone } = client
  return sums.map((sum, nth) => {
    const dueDate = addDays(today, -daysLate - 9 * nth)
    return {
      invoiceNumber: `F-${today.slice(0, 4)}-${String(100 + 3 * at + nth).padStart(4, '0')}`,
      amountCents: Math.round(sum * 100),
      issueDate: addDays(dueDate, -30),
      dueDate,
      debtor: {
        name,
        type,
        email: `${type === 'consumer' ? 'contact' : 'compta'}@${plain(name)}.example`,
        ...(!noPhone && { phone: `+336${39_980_000 + at}` }),
        address: `${at + 1} rue des Tanneurs`,
        postalCode,
        city,
      },
    }
  })
}

export interface SampleClient {
  readonly name: string
  readonly invoiceId: string
}

/** How many stages `playSamplePortfolio` tells of. */
export const sampleStages = monday + 1

/**
 * Fills an empty sandbox with clients in every state there is, after nine weeks, on a Monday at 08:45. Everything is asked of the API, so
 * messages, plans and history are what the program makes of it.
 */
export async function playSamplePortfolio(
  relance: Relance,
  onStage: (stage: number) => void = () => {},
): Promise<SampleClient[]> {
  const today = async () => localText(Date.parse((await relance.sandbox.clock()).now)).slice(0, 10)
  const advanceTo = (day: LocalDate, time: string) => relance.sandbox.advance({ to: momentOf(day, time) })
  const known = new Map<Client, Omit<Played, 'today'>>()
  const play = async (stage: number) => {
    onStage(stage)
    const day = await today()
    for (const [client, played] of known) await client.story?.[stage]?.({ ...played, today: day })
    for (const [at, client] of clients.entries()) {
      if (client.from !== stage) continue
      const made = []
      for (const input of invoicesOf(client, at, day)) made.push(await relance.invoices.create(input))
      known.set(client, { relance, debtorId: made[0]!.debtor.id!, invoiceIds: made.map(({ id }) => id) })
    }
  }
  for (let week = 0; week < friday; week++) {
    if (week > 0) await relance.sandbox.advance({ advance: 'P7D' })
    await play(week)
  }
  const day = await today()
  const daysToFriday = (12 - new Date(`${day}T12:00:00Z`).getUTCDay()) % 7 || 7
  await advanceTo(addDays(day, daysToFriday), '11:00')
  await play(friday)
  await advanceTo(addDays(day, daysToFriday + 3), '08:12')
  await play(monday)
  await advanceTo(addDays(day, daysToFriday + 3), '08:45')
  return [...known].map(([{ name }, { invoiceIds }]) => ({ name, invoiceId: invoiceIds[0]! }))
}
