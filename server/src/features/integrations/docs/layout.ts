import { type Html, html } from '../../../kit/http/html.ts'
import { docsStylesheet } from '../../access/pages/assets.ts'
import { frame, logo } from '../../access/pages/frame.ts'
import { type Heading, renderMarkdown } from './render-markdown.ts'
import type { DocPage, DocPages } from './site.ts'

const href = ({ path }: DocPage) => (path ? `/docs/${path}` : '/docs')

const currentMark = (isCurrent: boolean) => isCurrent && html` aria-current="page"`

const navLink = (page: DocPage, current: DocPage | null, children: readonly DocPage[]): Html => {
  const isOpen = current !== null && children.length > 0 && (current === page || current.parent === page.path)
  const label = page.method
    ? html`<span class="method ${page.method.toLowerCase()}">${page.method === 'DELETE' ? 'DEL' : page.method}</span> ${page.title.split('.').at(-1)}`
    : html`${page.title}`
  return html`<li><a href="${href(page)}"${currentMark(page === current)}>${label}</a>${
    isOpen && html`<ul>${children.map(child => navLink(child, current, []))}</ul>`
  }</li>`
}

/** The group of the current page comes first, so that readers see where they are. */
const ordered = (groups: DocPages['groups'], current: DocPage | null) => [
  ...groups.filter(({ title }) => title === current?.group),
  ...groups.filter(({ title }) => title !== current?.group),
]

const sideNav = ({ groups }: DocPages, current: DocPage | null): Html =>
  html`<nav class="side" aria-label="Documentation">${ordered(groups, current).map(
    ({ title, pages }) =>
      html`<p>${title}</p><ul>${pages
        .filter(({ parent }) => parent === undefined)
        .map(page =>
          navLink(
            page,
            current,
            pages.filter(({ parent }) => parent === page.path),
          ),
        )}</ul>`,
  )}</nav>`

const contents = (headings: readonly Heading[]): Html | false => {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3)
  const isLong = shown.length > 40
  const listed = isLong ? shown.filter(({ depth }) => depth === 2) : shown
  return (
    listed.length > 1 &&
    html`<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${listed.map(
      ({ id, text, depth }) => html`<li class="depth-${depth}"><a href="#${id}">${text}</a></li>`,
    )}</ul></nav>`
  )
}

/** The example of an operation is next to its description where there is room. */
function operationBody(markdown: string): { body: Html; headings: readonly Heading[] } {
  const [before = '', ...sections] = markdown.split(/^(?=## )/m)
  const example = sections.filter(text => text.startsWith('## Example'))
  const rest = sections.filter(text => !example.includes(text))
  const details = renderMarkdown(rest.join(''))
  return {
    body: html`<div class="beside"><div class="intro">${renderMarkdown(before).body}</div><div class="example">${renderMarkdown(example.join('')).body}</div><div class="details">${details.body}</div></div>`,
    headings: details.headings,
  }
}

const neighbours = ({ pages }: DocPages, page: DocPage): Html | false => {
  const all = [...pages.values()].filter(({ kind, parent }) => kind === 'operation' || parent === undefined)
  const at = all.indexOf(page)
  if (at < 0) return false
  const link = (to: DocPage | undefined, label: string) =>
    to &&
    to.kind !== 'home' &&
    html`<a class="neighbour ${label.toLowerCase()}" href="${href(to)}"><span>${label}</span> ${to.title}</a>`
  return html`<nav class="neighbours" aria-label="Next pages">${link(all[at - 1], 'Previous')}${link(all[at + 1], 'Next')}</nav>`
}

const document = (site: DocPages, current: DocPage | null, title: string, inside: Html): Html =>
  frame({
    language: 'en',
    title,
    site: 'Relance docs',
    fault: undefined,
    skip: 'Skip to the content',
    kind: 'docs',
    head: html`<link rel="stylesheet" href="${docsStylesheet.href}">`,
    body: html`<header><a class="mark" href="/">${logo}<span>Relance</span></a><nav class="top" aria-label="Sections"><a href="/docs">Guides</a><a href="/docs/api">API</a><a href="/docs/events">Events</a><a href="/docs/errors">Errors</a><a href="/console">Console</a></nav></header>
<div class="columns">
<div class="menu"><input class="unseen" type="checkbox" id="menu"><label class="menu-button" for="menu">All pages</label>${sideNav(site, current)}</div>
${inside}
</div>`,
  })

/** A page of the documentation as HTML. */
export function docHtml(site: DocPages, page: DocPage): string {
  const markdown = page.markdown()
  const { body, headings } = page.kind === 'operation' ? operationBody(markdown) : renderMarkdown(markdown)
  const source = page.path || 'index'
  return document(
    site,
    page,
    page.title,
    html`<main id="main" class="${page.kind}">${body}
<p class="source"><a href="/docs/${source}.md">This page as Markdown</a></p>${neighbours(site, page)}</main>
${page.kind === 'guide' && contents(headings)}`,
  ).text
}

/** For a path under `/docs/` that has no page. */
export const missingPageHtml = (site: DocPages): string =>
  document(
    site,
    null,
    'Page not found',
    html`<main id="main" class="guide"><h1>Page not found</h1><p>There is no page at this address. Perhaps it is one of these:</p><ul><li><a href="/docs">All guides</a></li><li><a href="/docs/api">API reference</a></li><li><a href="/docs/events">Events</a></li><li><a href="/docs/errors">Error codes</a></li></ul></main>`,
  ).text
