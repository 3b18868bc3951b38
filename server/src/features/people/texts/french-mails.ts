import type { englishMails } from './english-mails.ts'

export const frenchMails: typeof englishMails = {
  verify: link => ({
    subject: 'Confirmez votre adresse e-mail',
    text: `Bonjour,

Cette adresse a été donnée pour ouvrir un compte sur Relance. Pour confirmer qu'elle est bien la vôtre et vous connecter :

  ${link}

Le lien fonctionne une seule fois, pendant 24 heures.

Si ce n'était pas vous, ne faites rien : sans cette étape, le compte ne peut pas servir.

Relance
`,
  }),
  reset: link => ({
    subject: 'Choisissez un nouveau mot de passe',
    text: `Bonjour,

Quelqu'un, sans doute vous, a demandé un nouveau mot de passe pour votre compte Relance. Pour le choisir :

  ${link}

Le lien fonctionne une seule fois, pendant une heure. Votre choix fait, toutes vos sessions seront fermées.

Si ce n'était pas vous, ne faites rien : votre mot de passe reste le même.

Relance
`,
  }),
  accountExists: ({ signIn, forgot }) => ({
    subject: 'Vous avez déjà un compte',
    text: `Bonjour,

Quelqu'un, sans doute vous, a voulu s'inscrire sur Relance avec cette adresse. Elle a déjà un compte, et rien n'a été modifié.

  Pour vous connecter :            ${signIn}
  Pour choisir un mot de passe :   ${forgot}

Si ce n'était pas vous, il n'y a rien à faire.

Relance
`,
  }),
  invitation: ({ company, role, link }) => ({
    subject: `Rejoignez ${company} sur Relance`,
    text: `Bonjour,

${company} vous invite à rejoindre son compte Relance, avec le rôle : ${role}.

Pour accepter :

  ${link}

Le lien est pour vous seul, fonctionne une fois et pour cette adresse uniquement. Si vous ne connaissez pas cette entreprise,
ne faites rien.

Relance
`,
  }),
}
