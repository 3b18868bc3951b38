import { fr } from '../../../domain/french.ts'
import type { Environment } from '../../../kit/actor.ts'
import type { MailContent } from '../../platform/account-mail/enqueue-notice.ts'

type Kind = 'webhook_failing' | 'webhook_redirecting' | 'webhook_disabled'

export interface WebhookFacts {
  companyName: string
  environment: Environment
  /** Without its query, which may contain a secret. */
  url: string
  webhookId: string
  event: string
  /** The last response of the receiver, in short. */
  lastAnswer: string
  /** The time of the event that could not be delivered. */
  since: string
}

const environmentNames = {
  fr: { production: 'production', sandbox: 'bac à sable' },
  en: { production: 'production', sandbox: 'sandbox' },
} as const

const french: Record<Kind, (facts: WebhookFacts) => MailContent> = {
  webhook_failing: facts => ({
    subject: fr`Votre webhook ne répond plus : ${hostOf(facts.url)}`,
    text: fr`Bonjour,

Trois tentatives d’envoi du même événement à votre webhook ont échoué.

  Adresse          ${facts.url}
  Environnement    ${environmentNames.fr[facts.environment]}
  Événement        ${facts.event}
  Dernière réponse ${facts.lastAnswer}

Si deux autres tentatives échouent (après 30 minutes, puis 2 heures), le webhook sera désactivé. Rien n’est perdu : les
événements sont conservés 30 jours.

À faire : vérifiez que l’adresse répond par un statut inférieur à 400 en moins de 10 secondes. Les tentatives et leurs
réponses se lisent ici :

  GET /api/v1/webhooks/${facts.webhookId}/deliveries

Relance, pour ${facts.companyName}
`,
  }),
  webhook_redirecting: facts => ({
    subject: fr`Votre webhook renvoie vers une autre adresse : ${hostOf(facts.url)}`,
    text: fr`Bonjour,

Votre webhook a répondu à un événement par une redirection, que nous ne suivons pas. L’événement compte comme livré, car la
réponse est inférieure à 400, mais il n’est sans doute pas arrivé jusqu’à votre programme.

  Adresse          ${facts.url}
  Environnement    ${environmentNames.fr[facts.environment]}
  Événement        ${facts.event}
  Dernière réponse ${facts.lastAnswer}

À faire : enregistrez l’adresse finale, puis renvoyez les événements qui manquent. Ceux qui ont été redirigés portent
"error": "redirect" dans la liste :

  1. PUT  /api/v1/webhooks/${facts.webhookId}                            {"url": "…"}
  2. GET  /api/v1/webhooks/${facts.webhookId}/deliveries
  3. POST /api/v1/webhooks/${facts.webhookId}/deliveries/{deliveryId}/retry

Relance, pour ${facts.companyName}
`,
  }),
  webhook_disabled: facts => ({
    subject: fr`Votre webhook est désactivé : ${hostOf(facts.url)}`,
    text: fr`Bonjour,

Cinq tentatives d’envoi du même événement à votre webhook ont échoué : il est désactivé, et plus rien ne lui est envoyé.

  Adresse          ${facts.url}
  Environnement    ${environmentNames.fr[facts.environment]}
  Événement        ${facts.event}
  Dernière réponse ${facts.lastAnswer}

Rien n’est perdu : les événements sont conservés 30 jours. Une fois l’adresse réparée :

  1. PUT  /api/v1/webhooks/${facts.webhookId}           {"enabled": true}
  2. POST /api/v1/webhooks/${facts.webhookId}/recover   {"since": "${facts.since}"}

La seconde requête envoie ce que votre webhook n’a pas reçu depuis ce moment ; choisissez-le plus tôt si vos propres
journaux montrent un manque.

Relance, pour ${facts.companyName}
`,
  }),
}

const english: Record<Kind, (facts: WebhookFacts) => MailContent> = {
  webhook_failing: facts => ({
    subject: `Your webhook has stopped answering: ${hostOf(facts.url)}`,
    text: `Hello,

Three attempts to deliver the same event to your webhook have failed.

  Address      ${facts.url}
  Environment  ${environmentNames.en[facts.environment]}
  Event        ${facts.event}
  Last answer  ${facts.lastAnswer}

If two more attempts fail (after 30 minutes, then 2 hours), the webhook will be switched off. Nothing is lost: events are
kept for 30 days.

What to do: check that the address answers with a status below 400 within 10 seconds. The attempts and their answers are
listed here:

  GET /api/v1/webhooks/${facts.webhookId}/deliveries

Relance, for ${facts.companyName}
`,
  }),
  webhook_redirecting: facts => ({
    subject: `Your webhook redirects to another address: ${hostOf(facts.url)}`,
    text: `Hello,

Your webhook answered an event with a redirect, which we do not follow. The event counts as delivered, because the answer is
below 400, but it has probably not reached your program.

  Address      ${facts.url}
  Environment  ${environmentNames.en[facts.environment]}
  Event        ${facts.event}
  Last answer  ${facts.lastAnswer}

What to do: save the final address, then send again what is missing. In the list, events that were redirected have
"error": "redirect":

  1. PUT  /api/v1/webhooks/${facts.webhookId}                            {"url": "…"}
  2. GET  /api/v1/webhooks/${facts.webhookId}/deliveries
  3. POST /api/v1/webhooks/${facts.webhookId}/deliveries/{deliveryId}/retry

Relance, for ${facts.companyName}
`,
  }),
  webhook_disabled: facts => ({
    subject: `Your webhook is switched off: ${hostOf(facts.url)}`,
    text: `Hello,

Five attempts to deliver the same event to your webhook have failed: it is switched off, and nothing is sent to it any more.

  Address      ${facts.url}
  Environment  ${environmentNames.en[facts.environment]}
  Event        ${facts.event}
  Last answer  ${facts.lastAnswer}

Nothing is lost: events are kept for 30 days. Once the address is mended:

  1. PUT  /api/v1/webhooks/${facts.webhookId}           {"enabled": true}
  2. POST /api/v1/webhooks/${facts.webhookId}/recover   {"since": "${facts.since}"}

The second request sends what your webhook has not received since that moment; choose an earlier one if your own logs show
a gap.

Relance, for ${facts.companyName}
`,
  }),
}

type EndedFacts = Pick<WebhookFacts, 'companyName' | 'environment' | 'url' | 'webhookId'>

const ended: Record<'fr' | 'en', (facts: EndedFacts) => MailContent> = {
  fr: facts => ({
    subject: fr`Votre webhook est désactivé avec l’accès qui l’avait enregistré : ${hostOf(facts.url)}`,
    text: fr`Bonjour,

La clé API, l’application ou l’accord qui avait enregistré ce webhook en dernier a pris fin. Le webhook est désactivé, et
plus rien ne lui est envoyé.

  Adresse          ${facts.url}
  Environnement    ${environmentNames.fr[facts.environment]}

Si vous ne le connaissez pas, il n’y a rien à faire. Si vous en avez besoin, reprenez-le avec une autre clé, qui a les droits
de lire ses événements ; ceux-ci sont conservés 30 jours :

  1. PUT  /api/v1/webhooks/${facts.webhookId}           {"enabled": true}
  2. POST /api/v1/webhooks/${facts.webhookId}/recover   {"since": "…"}

Relance, pour ${facts.companyName}
`,
  }),
  en: facts => ({
    subject: `Your webhook was switched off with the access that had saved it: ${hostOf(facts.url)}`,
    text: `Hello,

The API key, application or consent that had saved this webhook last has ended. The webhook is switched off, and nothing is
sent to it any more.

  Address      ${facts.url}
  Environment  ${environmentNames.en[facts.environment]}

If you do not know it, there is nothing to do. If you need it, take it over with another key that may read its events, which
are kept for 30 days:

  1. PUT  /api/v1/webhooks/${facts.webhookId}           {"enabled": true}
  2. POST /api/v1/webhooks/${facts.webhookId}/recover   {"since": "…"}

Relance, for ${facts.companyName}
`,
  }),
}

export const endedWebhookMail = (language: 'fr' | 'en', facts: EndedFacts): MailContent =>
  ended[language](facts)

const hostOf = (url: string) => URL.parse(url)?.host ?? url

export const webhookMailTexts = (kind: Kind, language: 'fr' | 'en', facts: WebhookFacts): MailContent =>
  (language === 'fr' ? french : english)[kind](facts)
