import type { Environment } from '../../../kit/actor.ts'
import type { MailContent } from '../../platform/account-mail/enqueue-notice.ts'

type Kind = 'webhook_failing' | 'webhook_disabled'

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
    subject: `Votre webhook ne répond plus : ${hostOf(facts.url)}`,
    text: `Bonjour,

Trois tentatives d'envoi du même événement à votre webhook ont échoué.

  Adresse          ${facts.url}
  Environnement    ${environmentNames.fr[facts.environment]}
  Événement        ${facts.event}
  Dernière réponse ${facts.lastAnswer}

Si deux autres tentatives échouent (après 30 minutes, puis 2 heures), le webhook sera désactivé. Rien n'est perdu : les
événements sont conservés 30 jours.

À faire : vérifiez que l'adresse répond par un statut inférieur à 400 en moins de 10 secondes. Les tentatives et leurs
réponses se lisent ici :

  GET /api/v1/webhooks/${facts.webhookId}/deliveries

Relance, pour ${facts.companyName}
`,
  }),
  webhook_disabled: facts => ({
    subject: `Votre webhook est désactivé : ${hostOf(facts.url)}`,
    text: `Bonjour,

Cinq tentatives d'envoi du même événement à votre webhook ont échoué : il est désactivé, et plus rien ne lui est envoyé.

  Adresse          ${facts.url}
  Environnement    ${environmentNames.fr[facts.environment]}
  Événement        ${facts.event}
  Dernière réponse ${facts.lastAnswer}

Rien n'est perdu : les événements sont conservés 30 jours. Une fois l'adresse réparée :

  1. PUT  /api/v1/webhooks/${facts.webhookId}           {"enabled": true}
  2. POST /api/v1/webhooks/${facts.webhookId}/recover   {"since": "${facts.since}"}

La seconde requête envoie ce que votre webhook n'a pas reçu depuis ce moment ; choisissez-le plus tôt si vos propres
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
    subject: `Votre webhook est désactivé avec l'accès qui l'avait enregistré : ${hostOf(facts.url)}`,
    text: `Bonjour,

La clé API, l'application ou l'accord qui avait enregistré ce webhook en dernier a pris fin. Le webhook est désactivé, et
plus rien ne lui est envoyé.

  Adresse          ${facts.url}
  Environnement    ${environmentNames.fr[facts.environment]}

Si vous ne le connaissez pas, il n'y a rien à faire. Si vous en avez besoin, reprenez-le avec une autre clé, qui a les droits
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
