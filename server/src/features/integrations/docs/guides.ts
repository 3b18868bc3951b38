import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Where the program is installed: the folder above `server`. */
const root = join(import.meta.dirname, '../../../../..')

export interface Guide {
  /** Under `/docs/`. */
  readonly path: string
  /** From the folder of the program. */
  readonly file: string
  readonly group: string
  readonly title: string
  readonly summary: string
}

type Entry = readonly [name: string, title: string, summary: string, file?: string]

const groups: Readonly<Record<string, readonly Entry[]>> = {
  'Get started': [
    ['quickstart', 'Quickstart', 'From a clone to the first reminders in five steps.'],
    ['requests', 'What each request does', 'The operations and pages there are, by subject.'],
    ['sandbox', 'Sandbox', 'Test data, a clock you can advance, and simulated events.'],
    ['testing', 'Testing', 'How to test an integration, by hand and in CI.'],
    ['going-live', 'Going live', 'What to check before the first production invoice.'],
  ],
  Build: [
    ['api-keys', 'API keys', 'Scopes, expiry, IP addresses and rotation.'],
    ['webhooks', 'Webhooks', 'Receive events: signatures, retries, order, recovery.'],
    ['pagination', 'Pagination', 'Pages, cursors and the event feed.'],
    ['limits', 'Limits and tiers', 'Requests per minute and day, sizes, and what to do at 429.'],
    ['versioning', 'Versioning', 'What may change in a version, and how changes are announced.'],
    ['clients', 'Clients', 'The SDK, generated clients, and how input is normalised.'],
    ['sdk', 'TypeScript SDK', 'One typed method per operation, retries, lists, webhooks.', 'sdk/README.md'],
    ['cli', 'Command line', 'The API in a terminal.'],
    ['oauth', 'OAuth', 'Applications that act for themselves or for people.'],
    ['tasks', 'Tasks', 'Imports, exports and bulk changes, with progress and errors per row.'],
  ],
  'How it works': [
    ['messages', 'Messages', 'What debtors receive, in which words, and the page behind the link.'],
    ['calls', 'Calls', 'The AI voice: what it says and what it may do.'],
    ['history', 'History', 'Timelines, messages as sent, and dry runs.'],
    ['score', 'Risk score', 'Thirteen criteria, each explained.'],
    ['assistant', 'Assistant', 'Ask in natural language; changes need your confirmation.'],
    ['mcp', 'MCP', 'The operations as tools for your own assistant.'],
  ],
  Operate: [
    ['install', 'Install', 'From an empty server to the first production mail.'],
    ['operating', 'Operating', 'Health, log, metrics, exit codes, nightly work and alerts.'],
    ['providers', 'Providers', 'Email, SMS, letters, calls and cards.'],
    ['upgrading', 'Upgrade', 'What each release asks of an operator.'],
    ['backup', 'Back up', 'What to save, and how to know that it can be restored.'],
    ['restore', 'Restore and failover', 'What to do when the database was restored.'],
    ['rotate-keys', 'Rotate keys', 'KEYRING, signing keys and database passwords.'],
    ['incidents', 'Incidents', 'What to do first when something is wrong.'],
    ['runbooks', 'Runbooks', 'One per alert.'],
    ['performance', 'Performance', 'What was measured, on what machine, with which command.'],
    ['security', 'Security', 'How the service protects data, and what it assumes.'],
  ],
  'Release notes': [['changelog', 'Changelog', 'What changed, by version.', 'CHANGELOG.md']],
}

const declared: readonly Guide[] = Object.entries(groups).flatMap(([group, entries]) =>
  entries.map(([path, title, summary, file = `docs/${path}.md`]) => ({ path, file, group, title, summary })),
)

/** The Markdown files that are served. One that is not installed is left out. */
export const guides: readonly Guide[] = declared.filter(({ file }) => existsSync(join(root, file)))

/** Files that are generated from the declarations. Their pages are generated separately, so they are only link targets here. */
const generated: readonly Pick<Guide, 'path' | 'file' | 'title'>[] = [
  { path: 'errors', file: 'docs/errors.md', title: 'Error codes' },
  { path: 'events', file: 'docs/events.md', title: 'Events' },
]

/**
 * Links to served files become links to their pages; links to other files of the repository become text. A link that names the
 * file gets the title of the page.
 */
const withServedLinks = (line: string, file: string) =>
  line.replaceAll(
    /(?<!!)\[((?:[^[\]]|\[[^[\]]*\])*)\]\(([^()\s]+)\)/g,
    (link, text: string, target: string) => {
      if (/^(?:[a-z]+:|#|\/)/.test(target)) return link
      const [path = '', anchor] = target.split('#')
      const to = posix.join(posix.dirname(file), path)
      const found = [...guides, ...generated].find(page => page.file === to)
      if (!found) return text
      return `[${text.endsWith('.md') ? found.title : text}](/docs/${found.path}.md${anchor ? `#${anchor}` : ''})`
    },
  )

/** The drawings that pages show, by the path they are served under. */
export const drawings: ReadonlyMap<string, string> = new Map(
  globSync('docs/performance/*.svg', { cwd: root }).map(file => [`/${file}`, join(root, file)]),
)

/** In the repository a drawing is next to its page; here it is served under `/docs`. */
const withServedDrawings = (line: string, file: string) =>
  line.replaceAll(
    /(?<=!\[[^\]]*\]\()([^)\s:]+\.svg)(?=\))/g,
    path => `/${posix.join(posix.dirname(file), path)}`,
  )

/** Tables of pictures, which are not served. */
const pictureTable = /^\| `docs\/pictures` \|.*\n\|---.*\n(?:\|.*<img .*\n)+/gm

/** The Markdown of a guide as it is served. */
export function readGuide({ file }: Guide): string {
  let isCode = false
  return readFileSync(join(root, file), 'utf8')
    .replaceAll(pictureTable, '')
    .split('\n')
    .map(line => {
      if (line.trimStart().startsWith('```')) isCode = !isCode
      return isCode ? line : withServedDrawings(withServedLinks(line, file), file)
    })
    .join('\n')
}
