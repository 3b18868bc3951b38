/** How a command is written, and what it does. The options a command takes are read from here. */
interface Usage {
  options: string
  does: string
}
const usage = (does: string, options = ''): Usage => ({ options, does })

const roles = {
  api: [usage('Answers requests.')],
  worker: [
    usage('Looks at debtors who are due and sends their messages; runs tasks, and the nights of tenants.'),
  ],
  all: [usage('Runs api and worker in one process.')],
}

const installation = {
  bootstrap: [usage('Creates the database roles, once per database server. Needs a superuser.')],
  migrate: [usage('Brings the schema up to date. It may run beside api and workers.')],
  doctor: [usage('Checks database, services and waiting work, and says what to do next.')],
  'config check': [
    usage(
      'Names settings that are wrong or unknown, of the environment or of a file like .env.example. It connects to nothing.',
      '[--file path]',
    ),
  ],
  'providers test': [
    usage(
      'Signs in at the provider of each channel and sends nothing. With --to, it sends one mail to that address.',
      '[--to you@example.com]',
    ),
  ],
  'maintenance on': [
    usage(
      'Answers every request with SYS_002 and sends nothing, for 15 minutes or as given.',
      '[--minutes n]',
    ),
  ],
  'maintenance off': [usage('Ends the maintenance.')],
  'keys rotate': [
    usage(
      'Signs access tokens with the next key from now on. Tokens that were issued stay valid, unless --discard-old: then no token signed before is valid.',
      '[--discard-old]',
    ),
  ],
  'audit purge': [
    usage(
      'Deletes audit events older than 6 years, or than --years; that number is stored for later.',
      '[--years n]',
    ),
  ],
  'rates add': [
    usage(
      'Adds the interest rate of a half-year. In hundredths of a percent: the European Central Bank’s refinancing rate, or the legal rate of professionals. Interest for its days is claimed from then on.',
      '--from 2026-07-01 --rate-bps n --source … [--kind ecb|legal] [--replace] [--by …]',
    ),
  ],
  'rates list': [usage('Lists the rates that are known. For other half-years no interest is claimed.')],
  'privacy papers': [
    usage(
      'Prints the papers about personal data of docs/privacy, filled from the settings: processing agreement, sub-processors, measures, retention, register, breach procedure, impact assessment. In French those that a company signs. It connects to nothing.',
      '[--paper …] [--language fr|en]',
    ),
  ],
  openapi: [usage('Prints the OpenAPI document.')],
}

const companies = {
  'company create': [
    usage(
      'Creates an open company with a production and a sandbox key, shown once. It sells to consumers unless --sells-to says otherwise: that is the type of a debtor without a SIRET.',
      '--name … --owner-email … [--tier starter|pro|enterprise] [--sells-to consumer|business|public_body] [--country FR] [--language fr|en] [--requests-per-minute n] [--in-flight n] [--json]',
    ),
  ],
  'company list': [usage('Lists the companies and their state.')],
  'company show': [usage('Shows one company with its stops.', '--company id')],
  'company open': [
    usage(
      'Opens a company that signed itself up, or that was closed; what waited goes on.',
      '--company id [--by …]',
    ),
  ],
  'company close': [
    usage(
      'Sends nothing more for a company, refuses its credentials, and shows no way to pay it.',
      '--company id --reason … [--by …]',
    ),
  ],
  'company set': [
    usage('Changes whom it sells to.', '--company id --sells-to consumer|business|public_body'),
    usage(
      "Sets where its money goes in production; '' clears a field. All owners get a mail. A first value counts at once, a change after 24 hours; --at-once is for an account that was taken over.",
      '--company id [--iban …] [--account-holder …] [--reply-email …] [--telephone …] [--legal-name …] [--payment-account …] [--at-once]',
    ),
  ],
  'company tier': [
    usage(
      'Changes its tier, or its own limits of requests.',
      '--company id [--tier starter|pro|enterprise] [--requests-per-minute n] [--in-flight n]',
    ),
  ],
  'company limits': [
    usage(
      'Sets the most that is sent for it on a channel in a UTC day; limits that are not given return to those of the tier.',
      '--company id --channel email|sms|lrar|voice [--messages n] [--cents n]',
    ),
  ],
  'company storage': [
    usage(
      'Sets how much it may store in files and imports, in each environment; without --megabytes that of its tier.',
      '--company id [--megabytes n]',
    ),
  ],
  'company key': [
    usage(
      'Creates an API key, shown once; with all scopes unless some are named.',
      '--company id --environment production|sandbox [--scopes a,b]',
    ),
  ],
  'company invite': [
    usage(
      'Mails somebody the link to become an owner; keys and applications cannot.',
      '--company id --email …',
    ),
  ],
  'company mandate': [
    usage(
      'Records the written mandate to collect for it, and where it is kept. Its messages then speak as the collector. Needs all settings COLLECTOR_….',
      '--company id --signed-on 2026-11-02 --reference … [--by …]',
    ),
    usage('Ends the mandate: its messages speak as the company again.', '--company id --end [--by …]'),
  ],
}

const target = '[--company id | --tenant id | --provider name] [--by …]'
const sends = {
  'sends stop': [
    usage(
      'Stops sending for the given company, tenant or provider, or for everybody; returns when nothing leaves any more. Requests are answered meanwhile.',
      `--reason … ${target}`,
    ),
  ],
  'sends resume': [
    usage(
      'Ends that stop; what waited goes on. Without a target it also ends a quarantine: messages may be sent from this database.',
      target,
    ),
  ],
  'sends status': [usage('Lists what is stopped, since when, by whom and why.')],
  'sends unpark': [
    usage(
      'Tries debtors again whose wake-up failed eight times. Correct the cause first (`relance-server doctor`).',
      '[--tenant id]',
    ),
  ],
  'sends reconcile': [
    usage(
      'Asks the providers, after a restore or a failover, which messages left. Sending is stopped meanwhile. What this database does not know is recorded, so that nobody is contacted again too soon. SMTP has no such list: everybody who was due counts as contacted. Lists as CSV whom a person has to look at. Needs the settings of a worker. --since is known in a quarantine; --until is when the old installation had certainly ended, now if not given. Safe to run again.',
      '[--since time] [--until time] [--file path]',
    ),
  ],
}

const groups = {
  Roles: roles,
  Installation: installation,
  Companies: companies,
  Sending: sends,
}

export const commands: Readonly<Record<Command, readonly Usage[]>> = {
  ...roles,
  ...installation,
  ...companies,
  ...sends,
}
export type Command =
  | keyof typeof roles
  | keyof typeof installation
  | keyof typeof companies
  | keyof typeof sends

const program = 'relance-server'
const widthMax = 100

/** Words on lines of at most a hundred characters, each with this margin. */
function wrap(text: string, margin: string): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!
    if (last && margin.length + last.length + word.length >= widthMax) lines.push(word)
    else lines[lines.length - 1] = last ? `${last} ${word}` : word
  }
  return lines.map(line => `${margin}${line}`).join('\n')
}

const firstSentence = (text: string) => /^.*?[.](?= |$)/.exec(text)?.[0] ?? text

/** All commands, one line each. */
const overview = () =>
  [
    `${program} <command> [options]`,
    ...Object.entries(groups).map(([title, group]) =>
      [
        `${title}:`,
        ...Object.entries(group).map(
          ([name, usages]) => `  ${name.padEnd(18)} ${firstSentence(usages[0]!.does)}`,
        ),
      ].join('\n'),
    ),
    [
      `${program} help <command>      a command with its options`,
      `${program} help environment    the settings, all read from environment variables`,
      `${program} --version           the version`,
    ].join('\n'),
  ].join('\n\n')

const explain = ([name, usages]: [string, readonly Usage[]]) =>
  usages
    .map(
      ({ options, does }) =>
        `${program} ${name}${options && `\n${wrap(options, '    ')}`}\n\n${wrap(does, '  ')}`,
    )
    .join('\n\n')

/** The text that `help` prints about a topic: a command, the first word of several, `environment`, or everything. */
export function helpOn(topic: string, environment: () => string): string {
  if (topic === 'environment') return environment()
  const named = Object.entries(commands).filter(([name]) => name === topic || name.startsWith(`${topic} `))
  return named.length === 0 ? overview() : named.map(explain).join('\n\n')
}
