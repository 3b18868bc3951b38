import type { Channel } from '@relance/sdk'
import { day } from '../../lib/format.ts'
import { defineWords, type Language } from '../../lib/language.tsx'
import type { Reason } from '../../lib/names.ts'

type Params = Readonly<Record<string, string | number>>
type Why = (params: Params) => string

const onDay = (params: Params, language: Language) => day(String(params['on'] ?? ''), language)
const by = (params: Params, channels: Record<Channel, string>) =>
  channels[params['channel'] as Channel] ?? channels.email

/** The causes that the calendar may name, each in a sentence. */
type CalendarCause = Extract<
  Reason,
  | 'outside_hours'
  | 'call_hours'
  | 'sunday'
  | 'public_holiday'
  | 'one_contact_a_day'
  | 'channel_cooldown'
  | 'weekly_cap'
  | 'monthly_cap'
  | 'call_cap'
  | 'sign_of_life'
  | 'notice_running'
  | 'calendar_missing'
  | 'foreign_consumer'
  | 'calendar_horizon'
  | 'no_phone'
  | 'no_mobile'
  | 'no_address'
  | 'no_provider'
  | 'channel_closed'
  | 'insolvency'
  | 'wrong_person'
  | 'reply'
  | 'debtor'
>

const frBy = { email: 'l’e-mail', sms: 'le SMS', voice: 'l’appel', lrar: 'le courrier' }
const enBy = { email: 'the email', sms: 'the SMS', voice: 'the call', lrar: 'the letter' }

export const calendarWords = defineWords(
  {
    label: (place: string) => `Quand peut-on le contacter\u00a0? ${place}`,
    grid: 'Calendrier de contact, par canal et par jour',
    channelTabs: 'Canal',
    earlier: 'Plus tôt',
    later: 'Plus tard',
    today: 'aujourd’hui',
    open: 'ouvert',
    openAllDay: 'ouvert de 08:00 à 20:00',
    fromTo: (from: string, until: string) => `de ${from} à ${until}`,
    cell: (date: string, channel: string, what: string) => `${date}, ${channel}\u00a0: ${what}`,
    closed: 'fermé',
    and: ' et ',
    opensAt: (moment: string) => `S’ouvre ${moment}.`,
    opensAgainAt: (moment: string) => `Se rouvre ${moment}.`,
    staysClosed: (on: string) => `Reste fermé au moins jusqu’au ${on}.`,
    closedForGood: 'Aucune date ne l’ouvre.',
    made: (name: string, time: string, outcome: string) => `${name} à ${time}\u00a0: ${outcome}.`,
    otherRecord: 'par une autre fiche de la même personne',
    notCounted: 'ne compte pas comme contact',
    plannedAt: (name: string, time: string) => `Prévu\u00a0: ${name} à ${time}.`,
    movedBecause: (reasons: string) => `Déplacé\u00a0: ${reasons}.`,
    stopped: (reason: string) => `Rien ne part en ce moment\u00a0: ${reason}.`,
    openMessage: (name: string, time: string) => `Lire ${name}, ${time}`,
    legendMade: 'parti',
    legendPlanned: 'prévu',
    day: 'Jour',
    dayClosed: (reasons: string) => `fermé\u00a0: ${reasons}`,
    states: {
      reserved: 'réservé',
      sending: 'en route',
      sent: 'parti',
      delivered: 'remis',
      unknown: 'sort inconnu',
      bounced: 'rejeté',
      failed: 'échoué',
    },
    why: {
      outside_hours: () => 'Hors des heures légales, de 08:00 à 20:00.',
      call_hours: () => 'Hors des heures d’appel.',
      sunday: () => 'Dimanche\u00a0: la règle l’interdit.',
      public_holiday: params => `Jour férié\u00a0: ${params['holiday']} (${params['place']}).`,
      one_contact_a_day: params => `Un contact par jour au plus\u00a0: déjà ${by(params, frBy)} ce jour-là.`,
      channel_cooldown: params =>
        `Délai de 72\u00a0h\u00a015 après ${by(params, frBy)} du ${onDay(params, 'fr')}.`,
      weekly_cap: params => `Plafond\u00a0: ${params['most']} contacts en ${params['days']} jours.`,
      monthly_cap: params => `Plafond\u00a0: ${params['most']} contacts en ${params['days']} jours.`,
      call_cap: params => `Plafond\u00a0: ${params['most']} appels en ${params['days']} jours.`,
      sign_of_life: () => 'Le débiteur vient de répondre ou de payer.',
      notice_running: () => 'Le délai de la mise en demeure court.',
      calendar_missing: () => 'Les jours fériés de ce pays ne sont pas connus.',
      foreign_consumer: params =>
        `Les règles pour les particuliers (${params['country']}) ne sont pas connues.`,
      calendar_horizon: params => `Jours fériés connus jusqu’au ${day(String(params['to'] ?? ''), 'fr')}.`,
      no_phone: () => 'Aucun numéro de téléphone.',
      no_mobile: () => 'Aucun numéro de mobile.',
      no_address: () => 'Aucune adresse postale.',
      no_provider: () => 'Aucun prestataire pour ce canal.',
      channel_closed: () => 'Le débiteur a refusé ce canal.',
      insolvency: () => 'Une procédure collective est ouverte.',
      wrong_person: () => 'L’adresse ou le numéro est celui de quelqu’un d’autre.',
      reply: () => 'Une réponse du débiteur attend d’être lue.',
      debtor: () => 'Le débiteur est en pause.',
    } satisfies Record<CalendarCause, Why>,
    /** What a person can do about it; where nothing helps but waiting, nothing is said. */
    remedy: {
      outside_hours: '',
      call_hours: '',
      sunday: '',
      public_holiday: '',
      one_contact_a_day: 'Aucun autre canal n’est permis ce jour-là.',
      channel_cooldown: 'Un autre canal peut être ouvert.',
      weekly_cap: 'Le plafond se règle dans les paramètres de la société.',
      monthly_cap: 'Le plafond se règle dans les paramètres de la société.',
      call_cap: 'Écrivez plutôt que d’appeler.',
      sign_of_life: 'Lisez sa réponse.',
      notice_running: '',
      calendar_missing: 'Contactez-le vous-même, hors de Relance.',
      foreign_consumer: 'Contactez-le vous-même, hors de Relance.',
      calendar_horizon: '',
      no_phone: 'Ajoutez un numéro à la fiche.',
      no_mobile: 'Ajoutez un mobile à la fiche.',
      no_address: 'Ajoutez une adresse à la fiche.',
      no_provider: 'Un prestataire se configure dans l’installation.',
      channel_closed: 'Un autre canal peut être ouvert.',
      insolvency: 'Déclarez la créance à la procédure.',
      wrong_person: 'Corrigez l’adresse ou le numéro.',
      reply: 'Lisez sa réponse, la suite reprend.',
      debtor: 'Reprenez les relances du débiteur.',
    } satisfies Record<CalendarCause, string>,
  },
  {
    label: (place: string) => `When may they be contacted? ${place}`,
    grid: 'Contact calendar, by channel and day',
    channelTabs: 'Channel',
    earlier: 'Earlier',
    later: 'Later',
    today: 'today',
    open: 'open',
    openAllDay: 'open from 08:00 to 20:00',
    fromTo: (from, until) => `from ${from} to ${until}`,
    cell: (date, channel, what) => `${date}, ${channel}: ${what}`,
    closed: 'closed',
    and: ' and ',
    opensAt: moment => `Opens ${moment}.`,
    opensAgainAt: moment => `Opens again ${moment}.`,
    staysClosed: on => `Stays closed until ${on} at least.`,
    closedForGood: 'No date opens it.',
    made: (name, time, outcome) => `${name} at ${time}: ${outcome}.`,
    otherRecord: 'through another record of the same person',
    notCounted: 'does not count as a contact',
    plannedAt: (name, time) => `Planned: ${name} at ${time}.`,
    movedBecause: reasons => `Moved: ${reasons}.`,
    stopped: reason => `Nothing is sent at the moment: ${reason}.`,
    openMessage: (name, time) => `Read ${name}, ${time}`,
    legendMade: 'sent',
    legendPlanned: 'planned',
    day: 'Day',
    dayClosed: reasons => `closed: ${reasons}`,
    states: {
      reserved: 'reserved',
      sending: 'on its way',
      sent: 'sent',
      delivered: 'delivered',
      unknown: 'outcome unknown',
      bounced: 'bounced',
      failed: 'failed',
    },
    why: {
      outside_hours: () => 'Outside legal hours, from 08:00 to 20:00.',
      call_hours: () => 'Outside calling hours.',
      sunday: () => 'Sunday: the rule forbids it.',
      public_holiday: params => `Public holiday: ${params['holiday']} (${params['place']}).`,
      one_contact_a_day: params => `One contact a day at most: ${by(params, enBy)} was that day.`,
      channel_cooldown: params =>
        `72 h 15 min must pass after ${by(params, enBy)} of ${onDay(params, 'en')}.`,
      weekly_cap: params => `Cap: ${params['most']} contacts in ${params['days']} days.`,
      monthly_cap: params => `Cap: ${params['most']} contacts in ${params['days']} days.`,
      call_cap: params => `Cap: ${params['most']} calls in ${params['days']} days.`,
      sign_of_life: () => 'The debtor has just answered or paid.',
      notice_running: () => 'The period of the formal notice is running.',
      calendar_missing: () => 'The public holidays of this country are not known.',
      foreign_consumer: params => `The rules for consumers (${params['country']}) are not known.`,
      calendar_horizon: params => `Public holidays are known until ${day(String(params['to'] ?? ''), 'en')}.`,
      no_phone: () => 'No telephone number.',
      no_mobile: () => 'No mobile number.',
      no_address: () => 'No postal address.',
      no_provider: () => 'No provider for this channel.',
      channel_closed: () => 'The debtor refused this channel.',
      insolvency: () => 'Insolvency proceedings are open.',
      wrong_person: () => 'The address or the number belongs to somebody else.',
      reply: () => 'A reply of the debtor waits to be read.',
      debtor: () => 'The debtor is paused.',
    },
    remedy: {
      outside_hours: '',
      call_hours: '',
      sunday: '',
      public_holiday: '',
      one_contact_a_day: 'No other channel is allowed that day.',
      channel_cooldown: 'Another channel may be open.',
      weekly_cap: 'The cap is set in the settings of the company.',
      monthly_cap: 'The cap is set in the settings of the company.',
      call_cap: 'Write instead of calling.',
      sign_of_life: 'Read the reply.',
      notice_running: '',
      calendar_missing: 'Contact them yourself, outside Relance.',
      foreign_consumer: 'Contact them yourself, outside Relance.',
      calendar_horizon: '',
      no_phone: 'Add a number to the record.',
      no_mobile: 'Add a mobile number to the record.',
      no_address: 'Add an address to the record.',
      no_provider: 'A provider is configured in the installation.',
      channel_closed: 'Another channel may be open.',
      insolvency: 'Declare the claim in the proceedings.',
      wrong_person: 'Correct the address or the number.',
      reply: 'Read the reply, then it goes on.',
      debtor: 'Resume the reminders of the debtor.',
    },
  },
)
