import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../../..')

export interface Page {
  file: string
  /**
   * `developer`: a running installation, `BASE_URL` and a sandbox key in `API_KEY`, and the packed `relance`.
   * `operator`: a PostgreSQL without databases, `relance-server`, and what the pages before have set up.
   */
  place: 'developer' | 'operator'
  /** Prepares what the text of the page expects of its reader: an invoice, a file, the id of a webhook. */
  before?: string
  /** Runs in the clone instead of an empty folder. */
  inClone?: boolean
  /** Seconds between two commands, as a reader takes them. */
  pause?: number
}

const post = (path: string, body: string) =>
  `curl -s "$BASE_URL/api/v1${path}" -H "X-API-Key: $API_KEY" -H 'content-type: application/json' -d ${body}`
const newInvoice = (number: string) =>
  post(
    '/invoices',
    `'{"invoiceNumber": "${number}", "amountCents": 120000, "issueDate": "2026-09-15", "dueDate": "2026-10-15",
      "debtor": {"name": "Durand SARL", "email": "compta@durand.example", "postalCode": "69002", "city": "Lyon"}}'`,
  )
const newWebhook = post(
  '/webhooks',
  `"{\\"url\\": \\"$RECEIVER_URL\\", \\"events\\": [\\"payment.received\\"]}"`,
)
const newClient = post(
  '/oauth-clients',
  `'{"name": "Connector", "redirectUris": ["https://app.example/callback"], "scopes": ["invoices:read", "debtors:read"],
     "grantTypes": ["client_credentials", "authorization_code", "refresh_token"]}'`,
)

/** Where the commands of a page run. A page that is not here has none, or none that can run. */
export const pages: readonly Page[] = [
  { file: 'README.md', place: 'developer', inClone: true },
  { file: 'CONTRIBUTING.md', place: 'developer', inClone: true },
  { file: 'sdk/README.md', place: 'developer' },
  { file: 'docs/quickstart.md', place: 'developer', pause: 2 },
  { file: 'docs/api-keys.md', place: 'developer' },
  { file: 'docs/assistant.md', place: 'developer' },
  {
    file: 'docs/cli.md',
    place: 'developer',
    before: `${newInvoice('F-2026-0042')} > /dev/null
INVOICE_ID=$(${newInvoice('F-2026-0041')} | jq -r .data.id)
relance invoices write-off "$INVOICE_ID" --basis untraceable > /dev/null
sed 's/0042/0044/' > invoice.json <<'END'
{"invoiceNumber": "F-2026-0042", "amountCents": 120000, "issueDate": "2026-09-15", "dueDate": "2026-10-15",
 "debtor": {"name": "Durand SARL", "email": "compta@durand.example"}}
END
title='N° facture;Tiers;E-mail;Date facture;Échéance;Montant'
row='Petit SARL;compta@petit.example;01/09/2026;01/10/2026;1 234,56'
printf '%s\\n' "$title" "P-1;$row" > unpaid.csv
printf '%s\\n' "$title" "P-2;$row" > other.csv
TASK_ID=$(relance invoices import other.csv --dry-run --map Montant=amount --map Tiers=debtor.name 2>&1 | sed -n 's/^task //p')`,
  },
  {
    file: 'docs/history.md',
    place: 'developer',
    before: `created=$(${newInvoice('F-2026-0042')})
INVOICE_ID=$(jq -r .data.id <<< "$created") DEBTOR_ID=$(jq -r .data.debtor.id <<< "$created")`,
  },
  { file: 'docs/mcp.md', place: 'developer' },
  {
    file: 'docs/messages.md',
    place: 'developer',
    before: `INVOICE_ID=$(${newInvoice('F-2026-0042')} | jq -r .data.id)`,
  },
  {
    file: 'docs/oauth.md',
    place: 'developer',
    before: `client=$(${newClient})
CLIENT_ID=$(jq -r .data.clientId <<< "$client") CLIENT_SECRET=$(jq -r .data.clientSecret <<< "$client")
ACCESS_TOKEN=$(curl -s "$BASE_URL/api/oauth/token" -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials | jq -r .access_token)`,
  },
  {
    file: 'docs/pagination.md',
    place: 'developer',
    before: `${newInvoice('F-1')} > /dev/null
${newInvoice('F-2')} > /dev/null
CURSOR=$(curl -s "$BASE_URL/api/v1/invoices?limit=1" -H "X-API-Key: $API_KEY" | jq -r .pagination.nextCursor)
WEBHOOK_ID=$(${newWebhook} | jq -r .data.id)`,
  },
  { file: 'docs/sandbox.md', place: 'developer', pause: 2 },
  { file: 'docs/score.md', place: 'developer' },
  {
    file: 'docs/tasks.md',
    place: 'developer',
    pause: 3,
    before: `printf '%s\\n' 'N° facture;Client;E-mail;Date facture;Échéance;Montant TTC' 'P-1;Grand SARL;compta@grand.example;01/09/2026;01/10/2026;1 234,56' > impayes.csv
DEBTOR_ID=$(${post('/debtors', `'{"name": "Petit SARL", "email": "compta@petit.example"}'`)} | jq -r .data.id)`,
  },
  {
    file: 'docs/webhooks.md',
    place: 'developer',
    before: `ID=$(${newWebhook} | jq -r .data.id) SINCE=$(date -u -d yesterday +%FT%TZ)
CURSOR=$(curl -s "$BASE_URL/api/v1/events?start=now" -H "X-API-Key: $API_KEY" | jq -r .pagination.nextCursor)`,
  },
  { file: 'docs/install.md', place: 'operator', pause: 1 },
  { file: 'docs/operating.md', place: 'operator' },
  { file: 'docs/incidents.md', place: 'operator' },
  { file: 'docs/runbooks.md', place: 'operator' },
  { file: 'docs/rotate-keys.md', place: 'operator' },
  { file: 'docs/upgrading.md', place: 'operator' },
  { file: 'docs/backup.md', place: 'operator', before: 'DATABASE_URL=$(cat /etc/relance/database-url)' },
  { file: 'docs/restore.md', place: 'operator' },
]

/** Commands that cannot run here, by what they begin with or contain, each with its reason. */
export const notRun: readonly { pattern: RegExp; reason: string }[] = [
  { pattern: /^docker /, reason: 'needs a container engine' },
  {
    pattern: /^sh deploy\/make-secrets/,
    reason: 'writes into the clone the secrets that only compose reads',
  },
  { pattern: /^kubectl /, reason: 'needs a Kubernetes cluster' },
  {
    pattern: /^(useradd|git clone|install|cp) /,
    reason: 'needs root and the folders of the system; the same files are put into a folder',
  },
  {
    pattern: /^npm ci/,
    reason: 'replaces the packages this runs with; every CI job and the Dockerfile begin with it',
  },
  {
    pattern: /^npm run (--silent )?dev/,
    reason: 'starts what the other commands use: here the same function starts it',
  },
  { pattern: /^npm run check/, reason: 'the check itself; it takes a quarter of an hour' },
  { pattern: /^npm run bench/, reason: 'takes minutes; its names and options are compared with the program' },
  {
    pattern: /^npm install .*@relance\/sdk/,
    reason: 'needs the published package; here the packed one is installed',
  },
  {
    pattern: /^npm run build --workspace sdk |^npm init |^npm install "\$CLONE"/,
    reason: 'makes and installs the package; here the packed one is installed',
  },
  {
    pattern: /^npx -p @relance\/sdk|^relance login( +#| --production|$)/,
    reason: 'needs a person in a browser',
  },
  {
    pattern: /"authorization_code", "client_id"|"refresh_token", "client_id"/,
    reason: 'needs the consent of a person in a browser',
  },
  {
    pattern: /^npx (@hey-api\/openapi-ts|openapi-typescript) /,
    reason: 'fetches a package; `npm run prove -- clients` runs it',
  },
  { pattern: /^chat '|agent\/chat" .*event-stream|^MODEL_PROVIDER=/s, reason: 'needs a language model' },
  {
    pattern: /^export BASE_URL=/,
    reason: 'the address and the key of the reader; here they are set beforehand',
  },
]

/** These run until they are interrupted. */
export const isEndless = (command: string) => /^(npx )?relance (listen|watch) /.test(command)

export interface DocCommand {
  file: string
  line: number
  text: string
  reason?: string | undefined
  /** Where its block begins. */
  block: number
  /** What the page shows below its block, of all the block's commands; the last one has it. */
  shown?: string | undefined
}

/** Whether a command goes on in the next line: an open quote, parenthesis, loop or here-document, or a trailing `\`, `|`, `&&`. */
function isOpen(text: string): boolean {
  const [, heredoc] = /<<'?(\w+)'?/.exec(text) ?? []
  if (heredoc && !text.split('\n').slice(1).includes(heredoc)) return true
  if (heredoc) return false
  let quote = ''
  let depth = 0
  let code = ''
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    const isComment = char === '#' && quote === '' && /^$|\s/.test(text[i - 1] ?? '')
    if (isComment) {
      const end = text.indexOf('\n', i)
      i = end < 0 ? text.length : end - 1
      continue
    }
    code += char
    if (char === '\\' && quote !== "'") code += text[++i] ?? ''
    else if (quote) quote = char === quote ? '' : quote
    else if (char === "'" || char === '"') quote = char
    else if (char === '(') depth++
    else if (char === ')') depth--
  }
  const loops = (code.match(/\bdo$/gm)?.length ?? 0) - (code.match(/^done\b/gm)?.length ?? 0)
  return quote !== '' || depth > 0 || loops > 0 || /(\\|\||&&)[ \t]*$/.test(code)
}

/** The commands in the blocks of a page that are marked `sh` or `bash`, in order. */
export function commandsIn(file: string, text: string): DocCommand[] {
  const blocks = text.matchAll(/^( *)```(?:sh|bash)\n([\s\S]*?)^ *```\n(?:\n *```text\n([\s\S]*?)^ *```)?/gm)
  return [...blocks].flatMap(({ 1: indent = '', 2: body = '', 3: shown, index }) => {
    const found: DocCommand[] = []
    let pending = ''
    const first = text.slice(0, index).split('\n').length + 1
    for (const [i, line] of body.split('\n').entries()) {
      pending += pending ? `\n${line.slice(indent.length)}` : line.slice(indent.length)
      if (pending.trim() === '' || pending.startsWith('#')) pending = ''
      else if (!isOpen(pending)) {
        const command = pending
        const reason = notRun.find(({ pattern }) => pattern.test(command))?.reason
        found.push({
          file,
          block: first,
          line: first + i - command.split('\n').length + 1,
          text: command,
          reason,
        })
        pending = ''
      }
    }
    if (pending) throw new Error(`${file}: a command does not end: ${pending}`)
    const last = found.at(-1)
    if (last && shown) last.shown = shown
    return found
  })
}

export const allCommands = (): DocCommand[] =>
  globSync(['README.md', 'CONTRIBUTING.md', 'sdk/README.md', 'docs/**/*.md'], { cwd: root })
    .sort()
    .flatMap(file => commandsIn(file, readFileSync(join(root, file), 'utf8')))
