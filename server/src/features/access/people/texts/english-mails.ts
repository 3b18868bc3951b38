import type { MailContent } from '../../../platform/account-mail/enqueue-notice.ts'

/** Plain text with links. No mail repeats what a stranger may have typed into a form. */
export const englishMails = {
  verify: (link: string): MailContent => ({
    subject: 'Confirm your email address',
    text: `Hello,

This address was given to open an account at Relance. To confirm that it is yours and to choose your password:

  ${link}

The link works once, for 24 hours.

If it was not you, do nothing: without this step the account cannot be used.

Relance
`,
  }),
  reset: (link: string): MailContent => ({
    subject: 'Choose a new password',
    text: `Hello,

Somebody, probably you, asked for a new password for your account at Relance. To choose it:

  ${link}

The link works once, for one hour. Once you have chosen, you are signed out everywhere.

If it was not you, do nothing: your password stays as it is.

Relance
`,
  }),
  accountExists: ({ signIn, forgot }: Record<'signIn' | 'forgot', string>): MailContent => ({
    subject: 'You already have an account',
    text: `Hello,

Somebody, probably you, tried to sign up at Relance with this address. It already has an account, and nothing was changed.

  To sign in:             ${signIn}
  To choose a password:   ${forgot}

If it was not you, there is nothing to do.

Relance
`,
  }),
  passkeyAdded: ({ passkeys, forgot }: Record<'passkeys' | 'forgot', string>): MailContent => ({
    subject: 'A passkey was added to your account',
    text: `Hello,

A passkey was just added to your account at Relance. Whoever holds it can sign in with it.

If it was you, there is nothing to do. If it was not, remove it now, and choose a new password:

  Your passkeys:    ${passkeys}
  A new password:   ${forgot}

Relance
`,
  }),
  passwordChanged: ({ passkeys, forgot }: Record<'passkeys' | 'forgot', string>): MailContent => ({
    subject: 'Your password was changed',
    text: `Hello,

The password of your account at Relance was just changed. All other sessions are over, and applications that acted for you
have lost their access; let them in again where you need them.

Your passkeys still work: see whether each of them is yours, and remove those that are not. If it was not you who changed
the password, choose a new one now:

  Your passkeys:    ${passkeys}
  A new password:   ${forgot}

Relance
`,
  }),
  accessGranted: ({
    application,
    companies,
    account,
    forgot,
  }: Record<'application' | 'companies' | 'account' | 'forgot', string>): MailContent => ({
    subject: 'An application may act for you',
    text: `Hello,

You just allowed an application to act for you at Relance.

  Application   ${application}
  For           ${companies}

If it was you, there is nothing to do. If it was not, withdraw the access now, and choose a new password:

  Your applications:   ${account}
  A new password:      ${forgot}

Relance
`,
  }),
  ownerAdded: ({
    company,
    email,
    account,
  }: Record<'company' | 'email' | 'account', string>): MailContent => ({
    subject: 'Your company has a new owner',
    text: `Hello,

There is a new owner of a company of yours at Relance.

  Company    ${company}
  New owner  ${email}

An owner can do everything there, also remove you. If you know of it, there is nothing to do. If you do not, look at once who
did it, and remove what is not yours:

  ${account}

Relance
`,
  }),
  ownerRemoved: ({
    company,
    email,
    account,
  }: Record<'company' | 'email' | 'account', string>): MailContent => ({
    subject: 'Your company has one owner less',
    text: `Hello,

Somebody is no longer an owner of a company of yours at Relance.

  Company      ${company}
  Owner before ${email}

If you know of it, there is nothing to do. If you do not, look at once who did it:

  ${account}

Relance
`,
  }),
  keyCreated: ({ company, keys, account }: Record<'company' | 'keys' | 'account', string>): MailContent => ({
    subject: 'A new API key for your company',
    text: `Hello,

An API key was made or replaced for a company of yours at Relance.

  Company   ${company}

${keys}

Whoever holds it acts for the company, until it is deleted. If you know of it, there is nothing to do. If you do not, delete it
at once; the audit log says who made it:

  ${account}

Relance
`,
  }),
  keysRemain: ({
    company,
    email,
    keys,
    account,
  }: Record<'company' | 'email' | 'keys' | 'account', string>): MailContent => ({
    subject: 'API keys of a member remain',
    text: `Hello,

A member of a company of yours at Relance has another role, or is no longer a member. The API keys they made are still enabled.

  Company   ${company}
  Member    ${email}

${keys}

Delete those that nobody needs, and replace those whose text they may know:

  ${account}

Relance
`,
  }),
  invitation: ({
    company,
    role,
    link,
  }: {
    company: string | null
    role: string
    link: string
  }): MailContent => ({
    subject: `Join ${company ?? 'a company'} on Relance`,
    text: `Hello,

${company ?? 'A company'} invites you to join its account at Relance, in the role: ${role}.

To accept:

  ${link}

The link is for you alone, works once and only for this address. If you do not know this company, do nothing.

Relance
`,
  }),
}
