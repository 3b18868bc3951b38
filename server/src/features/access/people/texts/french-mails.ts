import { fr } from '../../../../domain/french.ts'
import type { englishMails } from './english-mails.ts'

export const frenchMails: typeof englishMails = {
  verify: link => ({
    subject: 'Confirmez votre adresse e-mail',
    text: fr`Bonjour,

Cette adresse a été donnée pour ouvrir un compte sur Relance. Pour confirmer qu’elle est bien la vôtre et choisir votre
mot de passe :

  ${link}

Le lien fonctionne une seule fois, pendant 24 heures.

Si ce n’était pas vous, ne faites rien : sans cette étape, le compte ne peut pas servir.

Relance
`,
  }),
  reset: link => ({
    subject: 'Choisissez un nouveau mot de passe',
    text: fr`Bonjour,

Quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour votre compte Relance. Pour le choisir :

  ${link}

Le lien fonctionne une seule fois, pendant une heure. Votre choix fait, toutes vos sessions seront fermées.

Si ce n’était pas vous, ne faites rien : votre mot de passe reste le même.

Relance
`,
  }),
  accountExists: ({ signIn, forgot }) => ({
    subject: 'Vous avez déjà un compte',
    text: fr`Bonjour,

Quelqu’un, sans doute vous, a voulu s’inscrire sur Relance avec cette adresse. Elle a déjà un compte, et rien n’a été modifié.

  Pour vous connecter :            ${signIn}
  Pour choisir un mot de passe :   ${forgot}

Si ce n’était pas vous, il n’y a rien à faire.

Relance
`,
  }),
  passkeyAdded: ({ passkeys, forgot }) => ({
    subject: 'Une clé d’accès a été ajoutée à votre compte',
    text: fr`Bonjour,

Une clé d’accès vient d’être ajoutée à votre compte Relance. Qui la détient peut se connecter avec elle.

Si c’était vous, il n’y a rien à faire. Sinon, retirez-la sans attendre et choisissez un nouveau mot de passe :

  Vos clés d’accès :         ${passkeys}
  Un nouveau mot de passe :  ${forgot}

Relance
`,
  }),
  passwordChanged: ({ passkeys, forgot }) => ({
    subject: 'Votre mot de passe a été changé',
    text: fr`Bonjour,

Le mot de passe de votre compte Relance vient d’être changé. Toutes les autres sessions sont fermées, et les applications qui
agissaient pour vous ont perdu leur accès ; redonnez-le à celles dont vous avez besoin.

Vos clés d’accès fonctionnent toujours : voyez si chacune est la vôtre, et retirez les autres. Si ce n’est pas vous qui avez
changé le mot de passe, choisissez-en un nouveau sans attendre :

  Vos clés d’accès :         ${passkeys}
  Un nouveau mot de passe :  ${forgot}

Relance
`,
  }),
  accessGranted: ({ application, companies, account, forgot }) => ({
    subject: 'Une application peut agir en votre nom',
    text: fr`Bonjour,

Vous venez d’autoriser une application à agir en votre nom chez Relance.

  Application   ${application}
  Pour          ${companies}

Si c’était vous, il n’y a rien à faire. Sinon, retirez cet accès sans attendre, et choisissez un nouveau mot de passe :

  Vos applications :        ${account}
  Un nouveau mot de passe : ${forgot}

Relance
`,
  }),
  ownerAdded: ({ company, email, account }) => ({
    subject: 'Votre entreprise a un nouveau propriétaire',
    text: fr`Bonjour,

Une de vos entreprises a un nouveau propriétaire chez Relance.

  Entreprise            ${company}
  Nouveau propriétaire  ${email}

Un propriétaire peut tout y faire, y compris vous retirer. Si vous êtes au courant, il n’y a rien à faire. Sinon, voyez sans
attendre qui l’a fait, et retirez ce qui n’est pas de vous :

  ${account}

Relance
`,
  }),
  ownerRemoved: ({ company, email, account }) => ({
    subject: 'Votre entreprise a un propriétaire de moins',
    text: fr`Bonjour,

Une personne n’est plus propriétaire d’une de vos entreprises chez Relance.

  Entreprise             ${company}
  Ancien propriétaire    ${email}

Si vous êtes au courant, il n’y a rien à faire. Sinon, voyez sans attendre qui l’a fait :

  ${account}

Relance
`,
  }),
  keyCreated: ({ company, keys, account }) => ({
    subject: 'Une nouvelle clé API pour votre entreprise',
    text: fr`Bonjour,

Une clé API a été créée ou remplacée pour une de vos entreprises chez Relance.

  Entreprise   ${company}

${keys}

Qui la détient agit pour l’entreprise, jusqu’à sa suppression. Si vous êtes au courant, il n’y a rien à faire. Sinon,
supprimez-la sans attendre ; le journal d’audit dit qui l’a créée :

  ${account}

Relance
`,
  }),
  keysRemain: ({ company, email, keys, account }) => ({
    subject: 'Des clés API d’un membre restent actives',
    text: fr`Bonjour,

Un membre d’une de vos entreprises chez Relance a changé de rôle, ou n’en est plus membre. Les clés API qu’il a créées sont
toujours actives.

  Entreprise   ${company}
  Membre       ${email}

${keys}

Supprimez celles dont personne n’a besoin, et remplacez celles dont il peut connaître le texte :

  ${account}

Relance
`,
  }),
  invitation: ({ company, role, link }) => ({
    subject: fr`Rejoignez ${company ?? 'une entreprise'} sur Relance`,
    text: fr`Bonjour,

${company ?? 'Une entreprise'} vous invite à rejoindre son compte Relance, avec le rôle : ${role}.

Pour accepter :

  ${link}

Le lien est pour vous seul, fonctionne une fois et pour cette adresse uniquement. Si vous ne connaissez pas cette entreprise,
ne faites rien.

Relance
`,
  }),
}
