import { Marked, type RendererObject, type Token, type Tokens } from 'marked'
import { Html, html } from '../../../kit/http/html.ts'
import { piecesOf } from './highlight.ts'

export interface Heading {
  readonly id: string
  readonly text: string
  readonly depth: number
}

export interface Rendered {
  readonly body: Html
  readonly headings: readonly Heading[]
}

/** A heading that is nothing but code keeps its spelling: `#VAL_001`, `#invoice.created`. Others follow GitHub. */
function idOf({ text, tokens }: Tokens.Heading): string {
  if (tokens.length === 1 && tokens[0]!.type === 'codespan') return (tokens[0] as Tokens.Codespan).text
  return plainText(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-')
}

const plainText = (markdown: string) =>
  markdown.replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1').replaceAll(/[`*]/g, '')

const codeBlock = (code: string, language: string): Html =>
  html`<pre tabindex="0"><code>${piecesOf(code, language).map(({ text, kind }) =>
    kind ? html`<span class="${kind}">${text}</span>` : html`${text}`,
  )}</code></pre>`

/** The text after the language is the label of a tab: consecutive blocks with labels become one block with tabs. */
const labelOf = (token: Token): string | null =>
  token.type === 'code' ? ((token as Tokens.Code).lang?.split(' ').slice(1).join(' ') ?? '') || null : null
const languageOf = ({ lang = '' }: Tokens.Code) => lang.split(' ')[0]!

function tabs(codes: readonly Tokens.Code[], group: string): Html {
  const ids = codes.map((_, i) => `${group}-${i + 1}`)
  const choices = codes.map(
    (code, i) =>
      html`<input class="unseen" type="radio" name="${group}" id="${ids[i]}"${i === 0 && html` checked`}><label for="${ids[i]}">${labelOf(code)}</label>`,
  )
  const panels = codes.map(code => html`<div>${codeBlock(code.text, languageOf(code))}</div>`)
  return html`<div class="tabs">${choices}${panels}</div>\n`
}

/** `name` *type* description: how the pages of the reference list fields. */
const isField = ({ tokens }: Tokens.ListItem) => {
  const [first, second, third] = (tokens[0] as Tokens.Text | undefined)?.tokens ?? []
  return first?.type === 'codespan' && second?.type === 'text' && third?.type === 'em'
}

const pathOf = (href: string) =>
  href.replace(/^\/docs\/index\.md/, '/docs').replace(/^(\/docs\/[^#]*)\.md(?=#|$)/, '$1')

function rendererFor(headings: Heading[]): RendererObject {
  const ids = new Map<string, number>()
  return {
    heading(token) {
      const wanted = idOf(token)
      const count = ids.get(wanted) ?? 0
      ids.set(wanted, count + 1)
      const id = count === 0 ? wanted : `${wanted}-${count}`
      headings.push({ id, text: plainText(token.text), depth: token.depth })
      const inside = this.parser.parseInline(token.tokens)
      return token.depth === 1
        ? `<h1>${inside}</h1>\n`
        : html`<h${token.depth} id="${id}"><a class="anchor" href="#${id}">${new Html(inside)}</a></h${token.depth}>\n`
            .text
    },
    code: token => codeBlock(token.text, languageOf(token)).text,
    // Raw HTML is escaped, although the pages are our own.
    html: ({ text }) => html`${text}`.text,
    // Only our own drawings are shown; any other picture is replaced by its text.
    image: ({ href, text }) =>
      /^\/docs\/[\w/-]+\.svg$/.test(href)
        ? html`<img src="${href}" alt="${text}" width="720" height="400" loading="lazy">`.text
        : html`${text}`.text,
    link({ href, tokens }) {
      const inside = new Html(this.parser.parseInline(tokens))
      return html`<a href="${pathOf(href)}">${inside}</a>`.text
    },
    list(token) {
      const tag = token.ordered ? 'ol' : 'ul'
      const items = token.items.map(item => this.listitem(item)).join('')
      return `<${tag}${token.items.every(isField) ? ' class="fields"' : ''}>${items}</${tag}>\n`
    },
    listitem(item) {
      const inner = item.tokens.filter(({ type }) => type === 'list') as Tokens.List[]
      if (!isField(item) || inner.length === 0) return `<li>${this.parser.parse(item.tokens)}</li>\n`
      const own = this.parser.parse(item.tokens.filter(({ type }) => type !== 'list'))
      const name = ((item.tokens[0] as Tokens.Text).tokens![0] as Tokens.Codespan).text
      return html`<li>${new Html(own)}<details><summary>Fields of <code>${name}</code></summary>${new Html(this.parser.parse(inner))}</details></li>\n`
        .text
    },
    // On a phone a row is shown as a block, and each cell shows the name of its column.
    table({ header, rows }) {
      const names = header.map(({ text }) => plainText(text))
      const head = names.some(Boolean)
        ? `<thead><tr>${header.map(cell => `<th scope="col">${this.parser.parseInline(cell.tokens)}</th>`).join('')}</tr></thead>`
        : ''
      const cells = (row: Tokens.TableCell[]) =>
        row
          .map(
            (cell, i) =>
              html`<td${names[i] && html` data-name="${names[i]}"`}>${new Html(this.parser.parseInline(cell.tokens))}</td>`
                .text,
          )
          .join('')
      return `<table>${head}<tbody>${rows.map(row => `<tr>${cells(row)}</tr>`).join('')}</tbody></table>\n`
    },
  }
}

/** Markdown to markup: headings with anchors, coloured code, tabs of several languages, lists of fields that fold. */
export function renderMarkdown(markdown: string): Rendered {
  const headings: Heading[] = []
  const marked = new Marked({ gfm: true, renderer: rendererFor(headings) })
  const tokens = marked.lexer(markdown)
  let text = ''
  let groups = 0
  for (let at = 0; at < tokens.length; at++) {
    const group: Tokens.Code[] = []
    for (
      ;
      at < tokens.length && (labelOf(tokens[at]!) || (group.length > 0 && tokens[at]!.type === 'space'));
      at++
    )
      if (tokens[at]!.type === 'code') group.push(tokens[at] as Tokens.Code)
    if (group.length > 0) text += tabs(group, `code-${++groups}`).text
    if (at < tokens.length) text += marked.parser([tokens[at]!])
  }
  return { body: new Html(text), headings }
}
