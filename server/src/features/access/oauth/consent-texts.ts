import { type Html, html } from '../../../kit/http/html.ts'
import type { Effect } from './scope-texts.ts'

const english = {
  title: (application: string) => `${application} asks for access`,
  heading: (application: Html) => html`${application} asks for access to your data`,
  doubt: 'Relance has not checked this application. Allow it only if you know it and have just come from it.',
  facts: 'Who asks',
  application: 'Application',
  registeredBy: (company: Html) => html`registered by ${company}`,
  registeredElsewhere: 'registered by a company that is not yours',
  builtIn: 'the command line of Relance, on your computer. Go on only if you have just started it yourself',
  host: 'Leads back to',
  environment: 'Environment',
  production: 'Production',
  productionNote: 'real invoices, real messages',
  sandbox: 'Sandbox',
  sandboxNote: 'tests only: nothing is sent, nothing is charged',
  wants: 'It wants to',
  effectTags: {
    reads: 'look',
    changes: 'change',
    sends: 'send or spend',
    outlives: 'leave access behind',
  } satisfies Record<Effect, string>,
  you: 'You are',
  someoneElse: 'Sign in as someone else',
  whichCompanies: 'For which companies?',
  tickOne: 'Tick those it may act for, at least one.',
  noneTicked: 'Tick at least one company, or deny.',
  forCompany: (company: Html, role: string) => html`It asks to act for ${company}, where you are ${role}.`,
  yourRole: (role: string) => `you are ${role}`,
  roleOnlySees: 'As long as that is your role, the application may only look.',
  roleLacks: 'As long as that is your role, the application may not do this there:',
  allUnder: (heading: string) => `everything under “${heading}”`,
  roleGivesNothing: 'Your role there allows nothing of what is asked.',
  effects: {
    reads: 'It may look at data',
    changes: 'It may change data',
    sends: 'It may send messages or spend money',
    outlives: 'It may leave access behind',
  } satisfies Record<Effect, string>,
  sendsNote: 'In the name of your company, without asking you again.',
  sendsNoteSandbox: 'In the sandbox all of this is simulated.',
  outlivesNote:
    'Withdrawing your consent ends its webhooks, not the keys it made: they go on working until somebody deletes them.',
  withdraw: (account: Html) => html`You can withdraw this access at any time on ${account}. It ends at once.`,
  account: 'your account page',
  deny: 'Deny',
  allow: 'Allow',
  noCompany: 'You belong to no company',
  noCompanyText: (application: Html, email: Html) =>
    html`${application} asks for access to a company’s data, and ${email} belongs to none. Ask the owner of a company to invite you, or sign in as someone else.`,
  nothingToGive: 'Your role does not allow this',
  nothingToGiveText: (application: Html) =>
    html`${application} asks for things that your role allows in none of your companies. Ask the owner of the company, or sign in as someone else.`,
  askedFor: 'It asked for',
  back: (host: string) => `Go back to ${host}`,
  backNote: 'Nothing is granted; the application is told that you did not allow it.',
  refusals: {
    application: {
      heading: 'The application made a mistake',
      text: 'It sent you here with a request that we cannot answer. Nothing was granted, and it learns nothing about you.',
      todo: 'Close this page, go back to the application and try again. If this page comes again, tell the people who make the application, with the line below.',
    },
    answer: {
      heading: 'Your answer did not reach us',
      text: 'The page was too old, your session is over, or the answer came from somewhere else. Nothing was granted.',
      todo: 'Go back to the application and start again from there.',
    },
  },
  detail: 'For the people who make it:',
}

const french: typeof english = {
  title: application => `${application} demande un accès`,
  heading: application => html`${application} demande l’accès à vos données`,
  doubt:
    'Relance n’a pas vérifié cette application. Ne l’autorisez que si vous la connaissez et venez de la quitter.',
  facts: 'Qui demande',
  application: 'Application',
  registeredBy: company => html`enregistrée par ${company}`,
  registeredElsewhere: 'enregistrée par une entreprise qui n’est pas la vôtre',
  builtIn:
    'la ligne de commande de Relance, sur votre ordinateur. Ne continuez que si vous venez de la lancer vous-même',
  host: 'Retour vers',
  environment: 'Environnement',
  production: 'Production',
  productionNote: 'vraies factures, vrais messages',
  sandbox: 'Bac à sable',
  sandboxNote: 'pour les essais\u00a0: rien n’est envoyé, rien n’est facturé',
  wants: 'Elle veut',
  effectTags: {
    reads: 'consulter',
    changes: 'modifier',
    sends: 'envoyer ou dépenser',
    outlives: 'laisser des accès',
  },
  you: 'Vous êtes',
  someoneElse: 'Se connecter avec un autre compte',
  whichCompanies: 'Pour quelles entreprises\u00a0?',
  tickOne: 'Cochez celles pour qui elle peut agir, au moins une.',
  noneTicked: 'Cochez au moins une entreprise, ou refusez.',
  forCompany: (company, role) => html`Elle demande à agir pour ${company}, où vous êtes ${role}.`,
  yourRole: role => `vous y êtes ${role}`,
  roleOnlySees: 'Tant que c’est votre rôle, l’application pourra seulement consulter.',
  roleLacks: 'Tant que c’est votre rôle, l’application ne pourra pas y faire ceci\u00a0:',
  allUnder: heading => `tout ce qui est sous «\u00a0${heading}\u00a0»`,
  roleGivesNothing: 'Votre rôle n’y permet rien de ce qui est demandé.',
  effects: {
    reads: 'Elle pourra consulter des données',
    changes: 'Elle pourra modifier des données',
    sends: 'Elle pourra envoyer des messages ou dépenser de l’argent',
    outlives: 'Elle pourra laisser des accès derrière elle',
  },
  sendsNote: 'Au nom de votre entreprise, sans vous redemander.',
  sendsNoteSandbox: 'Dans le bac à sable, tout cela est simulé.',
  outlivesNote:
    'Retirer l’accès met fin à ses webhooks, pas aux clés qu’elle a créées\u00a0: celles-ci marchent jusqu’à ce que quelqu’un les supprime.',
  withdraw: account =>
    html`Vous pouvez retirer cet accès à tout moment sur ${account}. L’effet est immédiat.`,
  account: 'la page de votre compte',
  deny: 'Refuser',
  allow: 'Autoriser',
  noCompany: 'Vous n’appartenez à aucune entreprise',
  noCompanyText: (application, email) =>
    html`${application} demande l’accès aux données d’une entreprise, et ${email} n’appartient à aucune. Demandez au propriétaire d’une entreprise de vous inviter, ou connectez-vous avec un autre compte.`,
  nothingToGive: 'Votre rôle ne le permet pas',
  nothingToGiveText: application =>
    html`${application} demande ce que votre rôle ne permet dans aucune de vos entreprises. Adressez-vous au propriétaire de l’entreprise, ou connectez-vous avec un autre compte.`,
  askedFor: 'Elle demandait',
  back: host => `Retourner sur ${host}`,
  backNote: 'Rien n’est accordé\u00a0; l’application apprend que vous ne l’avez pas autorisée.',
  refusals: {
    application: {
      heading: 'L’application a fait une erreur',
      text: 'Elle vous a envoyé ici avec une demande à laquelle nous ne pouvons pas répondre. Rien n’est accordé, et elle n’apprend rien sur vous.',
      todo: 'Fermez cette page, retournez à l’application et réessayez. Si cette page revient, prévenez ceux qui font l’application, avec la ligne ci-dessous.',
    },
    answer: {
      heading: 'Votre réponse ne nous est pas parvenue',
      text: 'La page était trop ancienne, votre session est terminée, ou la réponse venait d’ailleurs. Rien n’est accordé.',
      todo: 'Retournez à l’application et recommencez depuis là.',
    },
  },
  detail: 'Pour ceux qui la font\u00a0:',
}

export const consentTexts = { fr: french, en: english }
export type ConsentTexts = typeof english
