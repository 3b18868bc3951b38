import { passwordLengthMax, passwordLengthMin } from '../password-rules.ts'
import type { englishPages } from './english-pages.ts'

export const frenchPages: typeof englishPages = {
  layout: {
    account: 'Votre compte',
    console: 'Console',
    signOut: 'Se déconnecter',
    skip: 'Aller au contenu',
    fault: 'Erreur\u00a0:',
    oneFault: 'Un point demande votre attention',
    someFaults: 'Quelques points demandent votre attention',
  },
  fields: {
    company: 'Nom de l’entreprise',
    country: 'Pays',
    language: 'Langue',
    name: 'Votre nom',
    email: 'Adresse e-mail',
    password: 'Mot de passe',
    newPassword: 'Nouveau mot de passe',
    passwordHint: `Au moins ${passwordLengthMin} caractères. Quelques mots à la suite conviennent bien\u00a0; les espaces sont permis.`,
  },
  faults: {
    company_missing: 'Indiquez le nom de votre entreprise.',
    name_missing: 'Indiquez votre nom.',
    passkey_missing: 'Donnez un nom à la clé d’accès.',
    text_long: 'C’est trop long\u00a0; 200 caractères au plus.',
    text_characters: 'Un caractère ne peut pas être utilisé ici\u00a0; saisissez le texte à nouveau.',
    country_unknown: 'Choisissez un pays dans la liste.',
    language_unknown: 'Choisissez une langue dans la liste.',
    email_missing: 'Indiquez votre adresse e-mail.',
    email_malformed: 'Indiquez une adresse comme nom@entreprise.example.',
    password_missing: 'Saisissez votre mot de passe.',
    password_short: `Choisissez un mot de passe d’au moins ${passwordLengthMin} caractères.`,
    password_long: `Choisissez un mot de passe d’au plus ${passwordLengthMax} caractères.`,
    password_email: 'Choisissez un mot de passe qui ne soit pas votre adresse e-mail.',
    password_common: 'Choisissez un autre mot de passe\u00a0: celui-ci est parmi les premiers essayés.',
    iban_malformed: 'Ce n’est pas un IBAN\u00a0: sa longueur ou sa clé de contrôle est fausse.',
    holder_long: 'Le nom du titulaire est trop long\u00a0; 70 caractères au plus.',
    account_malformed:
      'Indiquez un compte du prestataire de paiement\u00a0: acct_ suivi de lettres et de chiffres.',
    capital_missing: 'Ajoutez le capital, par exemple\u00a0: SARL au capital de 10 000 €.',
    value_refused: 'Cette valeur ne peut pas être utilisée ici\u00a0; saisissez-la à nouveau.',
    own_change:
      'Vous avez demandé cette modification vous-même\u00a0: un autre propriétaire la confirme, ou elle prend effet d’elle-même.',
    new_owner:
      'Vous êtes propriétaire depuis moins de 24 heures\u00a0: un propriétaire plus ancien la confirme, ou elle prend effet d’elle-même.',
    gone: 'C’était déjà fait, ou cela n’existe plus. La page montre la situation actuelle.',
    last_owner: 'C’est le dernier propriétaire. Nommez d’abord un autre propriétaire.',
    invitation_refused:
      'Personne n’a été invité\u00a0: cette personne est déjà membre, ou trop d’invitations sont ouvertes ou ont été envoyées aujourd’hui.',
    keys_full: 'Il y a déjà 100 clés. Supprimez celles qui ne servent pas.',
    key_beyond_role: 'Cette clé permet plus que votre rôle\u00a0; un propriétaire peut la supprimer.',
    current_wrong:
      'Le mot de passe actuel n’est pas le bon, ou il y a eu trop d’essais\u00a0; patientez 15 minutes ou choisissez un nouveau mot de passe par e-mail.',
    sign_in:
      'Adresse ou mot de passe erroné, ou trop d’essais\u00a0; réessayez dans 15 minutes ou choisissez un nouveau mot de passe. Si vous venez de vous inscrire, ouvrez d’abord l’e-mail reçu.',
  },
  signUp: {
    title: 'Ouvrir un compte',
    intro:
      'Pour votre entreprise\u00a0: vous en serez propriétaire. Nous vous envoyons un e-mail, et vous choisissez votre mot de passe en l’ouvrant. Vous commencez dans le bac à sable\u00a0; rien n’est envoyé à personne avant que nous ayons ouvert votre entreprise à la production.',
    closed: 'Aucun compte ne peut être ouvert ici',
    closedText:
      'L’exploitant de ce service ouvre lui-même les comptes des entreprises. Veuillez le contacter.',
    submit: 'Ouvrir le compte',
    other: 'Vous avez déjà un compte\u00a0?',
    otherLink: 'Se connecter',
  },
  signIn: {
    title: 'Se connecter',
    submit: 'Se connecter',
    passkey: 'Se connecter avec une clé d’accès',
    or: 'ou',
    forgot: 'Mot de passe oublié\u00a0?',
    other: 'Pas encore de compte\u00a0?',
    otherLink: 'En ouvrir un',
    done: {
      password: 'Votre nouveau mot de passe est enregistré. Connectez-vous avec lui.',
      out: 'Vous êtes déconnecté.',
      again:
        'Pour modifier vos clés d’accès ou les propriétaires, connectez-vous une nouvelle fois\u00a0: cela montre que c’est bien vous.',
      again_company:
        'Pour modifier les coordonnées de paiement, les membres ou les clés, connectez-vous une nouvelle fois\u00a0: cela montre que c’est bien vous.',
    },
  },
  mailSent: {
    title: 'Consultez votre messagerie',
    text: 'Nous avons envoyé un e-mail à l’adresse indiquée. Il contient un lien\u00a0: ouvrez-le pour continuer.',
    hint: 'Rien après quelques minutes\u00a0? Regardez parmi les indésirables, ou recommencez.',
    back: 'Retour à la connexion',
  },
  verify: {
    title: 'Confirmer votre adresse',
    text: email =>
      `Choisissez le mot de passe de votre compte\u00a0: cela confirme que ${email} est bien votre adresse, et vous connecte.`,
    submit: 'Confirmer et se connecter',
    notYou: 'Vous n’avez pas ouvert de compte\u00a0? Fermez cette page.',
  },
  forgot: {
    title: 'Choisir un nouveau mot de passe',
    intro: 'Indiquez l’adresse de votre compte\u00a0: nous y envoyons un lien.',
    submit: 'Envoyer le lien',
    back: 'Retour à la connexion',
  },
  reset: {
    title: 'Choisir un nouveau mot de passe',
    intro: email => `Pour ${email}. Toutes vos sessions seront fermées.`,
    submit: 'Enregistrer le mot de passe',
  },
  invitation: {
    title: company => `Rejoindre ${company}`,
    intro: (company, role) => `${company} vous invite à rejoindre son compte, avec le rôle\u00a0: ${role}.`,
    for: email => `L’invitation est pour ${email}.`,
    accept: 'Rejoindre',
    signIn: 'Se connecter pour accepter',
    hasAccount: 'Cette adresse a déjà un compte. Connectez-vous, et vous reviendrez ici.',
    wrongPerson: email =>
      `Vous êtes connecté en tant que ${email}. Déconnectez-vous pour accepter cette invitation avec l’adresse à laquelle elle est destinée.`,
    newHere: 'Vous n’avez pas encore de compte\u00a0: choisissez un mot de passe, et vous y êtes.',
    submit: 'Ouvrir le compte et rejoindre',
  },
  roles: {
    owner: 'propriétaire',
    manager: 'responsable',
    agent: 'gestionnaire',
    viewer: 'lecteur',
    developer: 'développeur',
  },
  linkDead: {
    title: 'Ce lien ne fonctionne plus',
    text: 'Il a déjà servi, a expiré, ou n’a pas été copié en entier.',
    verify_email: 'Si vous avez choisi votre mot de passe, connectez-vous. Sinon, demandez un nouveau lien.',
    reset_password: 'Demandez un nouveau lien.',
    invitation: 'Demandez une nouvelle invitation à la personne qui vous a invité.',
    toSignIn: 'Se connecter',
    toForgot: 'Demander un nouveau lien',
  },
  failures: {
    reference: 'Référence',
    back: 'Retour à votre compte',
    400: { title: 'Cette requête n’a pas été comprise', text: 'Revenez en arrière et recommencez.' },
    403: {
      title: 'Ce formulaire n’a pas été accepté',
      text: 'Il ne venait pas d’une de nos pages, ou la page était trop ancienne. Rouvrez la page et recommencez.',
    },
    404: {
      title: 'Il n’y a rien ici',
      text: 'L’adresse est peut-être mal saisie, ou la chose n’existe plus.',
    },
    405: {
      title: 'Pas de cette façon',
      text: 'Cette adresse ne s’ouvre pas directement. Repartez de la page précédente.',
    },
    413: { title: 'C’est trop', text: 'Le formulaire est plus grand que tous les nôtres.' },
    429: { title: 'Trop de requêtes', text: 'Patientez un moment, puis recommencez.' },
    500: {
      title: 'Une erreur s’est produite chez nous',
      text: 'Elle a été notée. Recommencez dans un instant.',
    },
    503: {
      title: 'Recommencez dans un instant',
      text: 'Nous sommes trop sollicités, ou en maintenance. Rien n’a été perdu.',
    },
  },
}
