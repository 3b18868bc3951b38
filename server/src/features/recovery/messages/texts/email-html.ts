import { type Html, html } from '../../../../kit/http/html.ts'
import type { Block, Row } from './block.ts'
import type { Language, Text } from './message-content.ts'

// Mail clients support tables and inline styles, and little else. Nothing is loaded from outside, so reading is not tracked.
const face = 'font-family:Arial,Helvetica,sans-serif'
const body = `${face};font-size:16px;line-height:24px;color:#1c2430`
const quiet = `${face};font-size:14px;line-height:20px;color:#4a5563`
const small = `${face};font-size:13px;line-height:19px;color:#4a5563`
const strong = `${body};font-weight:bold`
const sum = `${strong};white-space:nowrap;text-align:right;vertical-align:top;padding:6px 0 6px 12px`
const cell = 'vertical-align:top;padding:6px 0;word-break:break-word'
const line = 'border-top:1px solid #d5dbe3'
const wide = 'width:100%;border-collapse:collapse'
const box = 'width:100%;border-collapse:separate;border-spacing:0;margin:0 0 16px'

const paragraph = (text: string, style = body, below = 16): Html =>
  html`<p style="${style};margin:0 0 ${below}px;word-break:break-word">${text}</p>`

const title = (text: string | null): Html | null =>
  text === null ? null : html`<p style="${strong};margin:8px 0 4px">${text}</p>`

const factRow = ([label, value]: Row): Html =>
  html`<tr><th scope="row" style="${quiet};${cell};font-weight:normal;text-align:left;width:38%;padding-right:12px">${label}</th><td style="${body};${cell}">${value}</td></tr>`

const facts = (rows: readonly Row[]): Html => html`<table style="${wide}">${rows.map(factRow)}</table>`

/** One invoice: the amount owed is shown first. */
const card = (rows: readonly Row[], [label, value]: Row): Html =>
  html`<table role="presentation" style="${box}"><tr><td style="background-color:#f1f4f7;border-radius:6px;padding:16px"><p style="${quiet};margin:0">${label}</p><p style="${strong};font-size:28px;line-height:36px;margin:0 0 8px">${value}</p>${facts(rows)}</td></tr></table>`

/** A phone has room for two columns: the columns in the middle are shown below the first one. */
function table(head: readonly string[], rows: readonly (readonly string[])[], foot: readonly string[]): Html {
  const last = head.length - 1
  const between = (row: readonly string[]) =>
    head
      .slice(1, last)
      .map((label, i) => `${label} ${row[i + 1]}`)
      .join(', ')
  return html`<table style="${wide};margin:0 0 16px"><tr><th scope="col" style="${quiet};${cell};text-align:left">${head[0]}</th><th scope="col" style="${quiet};${cell};text-align:right">${head[last]}</th></tr>${rows.map(
    row =>
      html`<tr><td style="${body};${cell};${line}"><strong>${row[0]}</strong><br><span style="${small}">${between(row)}</span></td><td style="${sum};${line}">${row[last]}</td></tr>`,
  )}${foot.map(
    text => html`<tr><td colspan="2" style="${strong};${cell};${line};text-align:right">${text}</td></tr>`,
  )}</table>`
}

const statement = ({ title: heading, rows, total, notes }: Extract<Block, { kind: 'statement' }>): Html =>
  html`<table role="presentation" style="${box}"><tr><td style="border:1px solid #d5dbe3;border-radius:6px;padding:12px 16px">${title(heading)}<table style="${wide}">${rows.map(
    ({ label, basis, value }) =>
      html`<tr><th scope="row" style="${body};${cell};${line};font-weight:normal;text-align:left">${label}${basis !== null && html`<br><span style="${small}">${basis}</span>`}</th><td style="${sum};${line};font-weight:normal">${value}</td></tr>`,
  )}<tr><th scope="row" style="${strong};${cell};border-top:2px solid #1c2430;text-align:left">${total[0]}</th><td style="${sum};border-top:2px solid #1c2430">${total[1]}</td></tr></table>${notes.map(text => paragraph(text, small, 4))}</td></tr></table>`

const action = ({ lead, label, link }: Extract<Block, { kind: 'action' }>): Html =>
  html`<table role="presentation" style="border-collapse:separate;border-spacing:0;margin:4px 0 12px"><tr><td style="background-color:#14532d;border-radius:6px"><a href="${link}" style="${strong};color:#ffffff;display:inline-block;padding:14px 28px;text-decoration:none">${label}</a></td></tr></table>${paragraph(lead, quiet, 20)}`

function renderBlock(block: Block): Html {
  switch (block.kind) {
    case 'paragraph':
      return paragraph(block.text, block.isStrong ? strong : body)
    case 'facts':
      return block.headline
        ? card(block.rows, block.headline)
        : html`${title(block.title)}<div style="margin:0 0 16px">${facts(block.rows)}</div>`
    case 'table':
      return html`${title(block.title)}${table(block.head, block.rows, block.foot)}`
    case 'statement':
      return statement(block)
    case 'action':
      return action(block)
    case 'small':
      return html`<div style="${line};padding-top:12px">${block.title !== null && paragraph(block.title, `${small};font-weight:bold`, 0)}${paragraph(block.text, small)}</div>`
    case 'law':
      return html`${paragraph(block.source, small)}<blockquote style="margin:0 0 16px;padding:0 0 0 12px;border-left:3px solid #d5dbe3">${block.paragraphs.map(text => paragraph(text, small))}</blockquote>`
    case 'signature':
      return html`<p style="${quiet};margin:0 0 16px;word-break:break-word">${block.lines.map((text, at) => (at === 0 ? html`<strong>${text}</strong>` : html`<br>${text}`))}</p>`
  }
}

/** An email as HTML: dark on light, one column, the same text as in plain text. */
export const toHtml = (
  { subject, heading, blocks }: Text,
  meta: { language: Language; creditor: string; hasLogo?: boolean },
): string =>
  html`<!doctype html>
<html lang="${meta.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light"><title>${subject}</title></head>
<body style="margin:0;padding:0;background-color:#f1f4f7"><div role="main" lang="${meta.language}"><table role="presentation" style="${wide}"><tr><td align="center" style="padding:16px 8px"><table role="presentation" style="width:100%;max-width:600px;border-collapse:separate;background-color:#ffffff;border:1px solid #d5dbe3;border-radius:8px"><tr><td align="left" style="padding:24px 20px 8px">
${meta.hasLogo && html`<img src="cid:logo" alt="${meta.creditor}" style="display:block;max-width:180px;max-height:60px;margin:0 0 12px">`}<p style="${quiet};font-weight:bold;margin:0 0 4px;word-break:break-word">${meta.creditor}</p>
<h1 style="${face};font-size:20px;line-height:28px;color:#1c2430;margin:0 0 16px;word-break:break-word">${heading}</h1>
${blocks.map(renderBlock)}
</td></tr></table></td></tr></table></div></body></html>
`.text
