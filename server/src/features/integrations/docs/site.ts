import { type ErrorCode, errorStatuses } from '../../../kit/errors.ts'
import { guides, readGuide } from './guides.ts'
import {
  apiIndexPage,
  errorPage,
  errorsPage,
  eventsPage,
  nounPage,
  nounsOf,
  operationPage,
  operationPath,
  type ReferenceSource,
  titleOfNoun,
  typesPage,
} from './reference.ts'

export interface DocPage {
  /** Under `/docs/`; empty for the first page. */
  readonly path: string
  readonly title: string
  readonly summary: string
  readonly group: string
  readonly kind: 'home' | 'guide' | 'operation'
  /** GET, POST and so on, for an operation. */
  readonly method?: string
  /** The page under which the navigation shows it. */
  readonly parent?: string
  readonly markdown: () => string
}

export interface DocPages {
  readonly pages: ReadonlyMap<string, DocPage>
  readonly groups: readonly { readonly title: string; readonly pages: readonly DocPage[] }[]
}

const reference = 'API reference'

/** Every page of the documentation. Their Markdown is made when it is asked for. */
export function siteOf(source: ReferenceSource): DocPages {
  const { contract, document } = source
  const guidePages: DocPage[] = guides.map(guide => ({
    ...guide,
    kind: 'guide',
    markdown: () => readGuide(guide),
  }))
  const apiPages: DocPage[] = [
    {
      path: 'api',
      title: 'Overview',
      summary: 'Every operation, with its fields, errors and examples.',
      group: reference,
      kind: 'guide',
      markdown: () => apiIndexPage(source),
    },
    {
      path: 'events',
      title: 'Events',
      summary: 'The event catalogue, with fields and a complete body each.',
      group: reference,
      kind: 'guide',
      markdown: () => eventsPage(source),
    },
    {
      path: 'errors',
      title: 'Error codes',
      summary: 'What each code means and what to do.',
      group: reference,
      kind: 'guide',
      markdown: () => errorsPage(source),
    },
    {
      path: 'api/types',
      title: 'Types',
      summary: 'Lists of values that fields share.',
      group: reference,
      kind: 'guide',
      markdown: () => typesPage(source),
    },
    ...nounsOf(document).flatMap((noun): DocPage[] => [
      {
        path: `api/${noun.name}`,
        title: titleOfNoun(noun.name),
        summary: `${noun.description}.`,
        group: reference,
        kind: 'guide',
        markdown: () => nounPage(source, noun),
      },
      ...document.endpoints
        .filter(({ tags }) => tags[0] === noun.name)
        .map(
          (endpoint): DocPage => ({
            path: operationPath(endpoint.operationId),
            title: endpoint.operationId,
            summary: `${endpoint.summary}.`,
            group: reference,
            kind: 'operation',
            method: endpoint.method,
            parent: `api/${noun.name}`,
            markdown: () => operationPage(source, endpoint),
          }),
        ),
    ]),
  ]
  const errorPages = (Object.keys(errorStatuses) as ErrorCode[]).map(
    (code): DocPage => ({
      path: `errors/${code}`,
      title: code,
      summary: `${contract.errorTexts[code].means}.`,
      group: reference,
      kind: 'guide',
      parent: 'errors',
      markdown: () => errorPage(source, code),
    }),
  )
  const all = [...guidePages.filter(({ path }) => path !== 'changelog'), ...apiPages, ...errorPages]
  const last = guidePages.filter(({ path }) => path === 'changelog')
  const groups = [...Map.groupBy([...all, ...last], ({ group }) => group)].map(([title, pages]) => ({
    title,
    pages,
  }))
  const home: DocPage = {
    path: '',
    title: 'Documentation',
    summary: 'Guides and reference.',
    group: '',
    kind: 'home',
    markdown: () => homeMarkdown(groups),
  }
  return { groups, pages: new Map([home, ...all, ...last].map(page => [page.path, page])) }
}

const topPages = (groups: DocPages['groups']) =>
  groups.map(({ title, pages }) => ({ title, pages: pages.filter(({ parent }) => parent === undefined) }))

const homeMarkdown = (groups: DocPages['groups']) =>
  [
    '# Documentation',
    'Relance recovers overdue invoices through an API: send an invoice, and Relance reminds the debtor, within the contact rules, until it is paid.',
    ...topPages(groups).map(
      ({ title, pages }) =>
        `## ${title}\n\n${pages.map(page => `- [${page.title}](/docs/${page.path}.md) ${page.summary}`).join('\n')}`,
    ),
    '## For machines',
    '- [OpenAPI document](/openapi.json) The whole contract, for generators.\n- [Postman collection](/docs/postman.json) Every request, ready to send.\n- [llms.txt](/llms.txt) All pages as Markdown, for language models. Every page of this documentation has its Markdown at the same address with `.md`.',
  ].join('\n\n')

/** https://llmstxt.org: every page as a link to its Markdown. */
export const llmsText = ({ groups }: DocPages, publicUrl: string): string =>
  `${[
    '# Relance',
    '> Relance recovers overdue invoices through an API. You send an invoice and say who owes it; Relance writes to the debtor on your behalf, within the contact rules, and reports every message, payment and answer.',
    `The API is described by ${publicUrl}/openapi.json. Requests need a key in \`X-API-Key\`. Amounts are integers in cents. Try everything in the sandbox, with a key that begins with \`fk_test_\`.`,
    ...groups.map(
      ({ title, pages }) =>
        `## ${title}\n\n${pages.map(page => `- [${page.title}](${publicUrl}/docs/${page.path}.md): ${page.summary}`).join('\n')}`,
    ),
  ].join('\n\n')}\n`
