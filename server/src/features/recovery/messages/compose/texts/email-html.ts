import { type Html, html } from '../../../../../kit/http/html.ts'
import type { Block, Row } from './block.ts'
import type { Language } from './labels.ts'
import type { Text } from './message-content.ts'

// Mail clients support tables and inline styles, and little else. Outlook on Windows renders with Word, which ignores
// `max-width`, and padding except on cells. So every important distance is on a cell, and a table that only Word reads sets the
// width. Nothing is loaded from outside, so reading is not tracked.
const face = 'font-family:Arial,Helvetica,sans-serif'
const body = `${face};font-size:16px;line-height:24px;color:#1c2430`
const quiet = `${face};font-size:14px;line-height:20px;color:#4a5563`
const small = `${face};font-size:13px;line-height:19px;color:#4a5563`
const strong = `${body};font-weight:bold`
const sum = `${strong};white-space:nowrap;text-align:right;vertical-align:top;padding:5px 0 5px 12px`
const cell = 'vertical-align:top;padding:5px 0;word-break:break-word'
const line = 'border-top:1px solid #d5dbe3'
const wide = 'width:100%;border-collapse:collapse'
const box = 'width:100%;border-collapse:separate;border-spacing:0'
const buttonColour = '#0f5c4d'

/** An invoice number is not split at its hyphens, unless it is longer than a line. All parts are escaped. */
const withNumberInOnePiece = (heading: string, number: string): Html => {
  const at = heading.includes(number) ? heading.indexOf(number) : heading.length
  const end = at + number.length
  return html`${heading.slice(0, at)}<span style="display:inline-block;max-width:100%">${heading.slice(at, end)}</span>${heading.slice(end)}`
}

const paragraph = (text: string, style = body, below = 16): Html =>
  html`<p style="${style};margin:0 0 ${below}px;word-break:break-word">${text}</p>`

const title = (text: string | null): Html | null =>
  text === null ? null : html`<p style="${strong};margin:8px 0 4px">${text}</p>`

const factRow = ([label, value]: Row): Html =>
  html`<tr><th scope="row" width="38%" style="${quiet};${cell};font-weight:normal;text-align:left;padding-right:12px">${label}</th><td style="${body};${cell}">${value}</td></tr>`

const facts = (rows: readonly Row[]): Html => html`<table style="${wide}">${rows.map(factRow)}</table>`

/** Space below. Word supports it only on cells. */
const spaced = (content: Html, below = 16): Html =>
  html`<table role="presentation" style="${wide}"><tr><td style="padding:0 0 ${below}px">${content}</td></tr></table>`

/** The figure of the message comes first, and the button right after it. */
const card = (rows: readonly Row[], [label, value]: Row, next: Html | null): Html =>
  spaced(
    html`<table role="presentation" style="${box}"><tr><td bgcolor="#f1f4f7" style="background-color:#f1f4f7;border-radius:8px;padding:14px 16px"><p style="${quiet};margin:0">${label}</p><p style="${strong};font-size:30px;line-height:38px;margin:0 0 4px">${value}</p>${facts(rows)}${next}</td></tr></table>`,
  )

/** The link fills the height of its cell. Word reads height and distances only from the cell. */
const button = ({ label, link }: Extract<Block, { kind: 'action' }>): Html =>
  html`<table role="presentation" align="left" style="border-collapse:separate;border-spacing:0"><tr><td align="center" height="48" bgcolor="${buttonColour}" style="background-color:${buttonColour};border-radius:8px;padding:2px 28px;${strong};line-height:44px;mso-line-height-rule:exactly"><a href="${link}" style="${strong};line-height:44px;color:#ffffff;display:block;white-space:nowrap;text-decoration:none">${label}</a></td></tr></table>`

/** A phone has room for two columns: the columns in the middle are shown below the first one. */
function table(head: readonly string[], rows: readonly (readonly string[])[], foot: readonly Row[]): Html {
  const last = head.length - 1
  const between = (row: readonly string[]) =>
    head
      .slice(1, last)
      .map((label, i) => `${label} ${row[i + 1]}`)
      .join(', ')
  return spaced(
    html`<table style="${wide}"><tr><th scope="col" style="${quiet};${cell};text-align:left">${head[0]}</th><th scope="col" style="${quiet};${cell};text-align:right">${head[last]}</th></tr>${rows.map(
      row =>
        html`<tr><td style="${body};${cell};${line}"><strong>${row[0]}</strong><br><span style="${small}">${between(row)}</span></td><td style="${sum};${line}">${row[last]}</td></tr>`,
    )}${foot.map(
      ([label, value]) =>
        html`<tr><th scope="row" style="${strong};${cell};${line};text-align:left">${label}</th><td style="${sum};${line}">${value}</td></tr>`,
    )}</table>`,
  )
}

/**
 * Two columns of many rows, without a style on each cell: mail services cut a mail of more than a hundred kilobytes. The head
 * says what the lines of a cell are.
 */
const annex = ({ head, rows, foot, sumColumns = 1 }: Extract<Block, { kind: 'table' }>): Html => {
  const sumLines = (row: readonly string[]) =>
    row.slice(-sumColumns).map((text, i) => html`${i > 0 && html`<br>`}${text}`)
  const factLines = ([first, ...more]: readonly string[]) =>
    html`<b>${first}</b><br>${more.slice(0, -sumColumns).join(', ')}`
  return spaced(
    html`<table cellpadding="3" rules="rows" style="${wide};${small};border-color:#d5dbe3;word-break:break-word"><tr><th scope="col" align="left">${factLines(head)}</th><th scope="col" align="right">${sumLines(head)}</th></tr>${rows.map(
      row => html`<tr><td>${factLines(row)}</td><td align="right">${sumLines(row)}</td></tr>`,
    )}${foot.map(
      ([label, value]) =>
        html`<tr><th scope="row" align="left">${label}</th><th align="right">${value}</th></tr>`,
    )}</table>`,
  )
}

const statement = ({ title: heading, rows, total, notes }: Extract<Block, { kind: 'statement' }>): Html =>
  spaced(
    html`<table role="presentation" style="${box}"><tr><td style="border:1px solid #d5dbe3;border-radius:8px;padding:12px 16px">${title(heading)}<table style="${wide}">${rows.map(
      ({ label, basis, value }) =>
        html`<tr><th scope="row" style="${body};${cell};${line};font-weight:normal;text-align:left">${label}${basis !== null && html`<br><span style="${small}">${basis}</span>`}</th><td style="${sum};${line};font-weight:normal">${value}</td></tr>`,
    )}<tr><th scope="row" style="${strong};${cell};border-top:2px solid #1c2430;text-align:left">${total[0]}</th><td style="${sum};border-top:2px solid #1c2430">${total[1]}</td></tr></table>${notes.map(text => paragraph(text, small, 4))}</td></tr></table>`,
  )

function renderBlock(block: Block): Html {
  switch (block.kind) {
    case 'paragraph':
      return paragraph(block.text, block.isStrong ? strong : body)
    case 'facts':
      return block.headline
        ? card(block.rows, block.headline, null)
        : html`${title(block.title)}${spaced(facts(block.rows))}`
    case 'table':
      return html`${title(block.title)}${block.isAnnex ? annex(block) : table(block.head, block.rows, block.foot)}`
    case 'statement':
      return statement(block)
    case 'action':
      return html`${spaced(button(block), 12)}${paragraph(block.lead, quiet)}`
    case 'small':
      return html`<table role="presentation" style="${wide}"><tr><td style="${line};padding:12px 0 0">${block.title !== null && paragraph(block.title, `${small};font-weight:bold`, 0)}${paragraph(block.text, small)}</td></tr></table>`
    case 'law':
      return html`${paragraph(block.source, small)}<blockquote style="margin:0 0 16px;padding:0 0 0 12px;border-left:3px solid #d5dbe3">${block.paragraphs.map(text => paragraph(text, small))}</blockquote>`
    case 'signature':
      return html`<p style="${quiet};margin:0 0 16px;word-break:break-word">${block.lines.map((text, at) => (at === 0 ? html`<strong>${text}</strong>` : html`<br>${text}`))}</p>`
  }
}

/** A card and the action that follows it are one: the sum, and the button that pays it. */
const renderBlocks = (blocks: readonly Block[]): Html[] =>
  blocks.map((block, i) => {
    const [before, next] = [blocks[i - 1], blocks[i + 1]]
    if (block.kind === 'action' && before?.kind === 'facts' && before.headline)
      return paragraph(block.lead, quiet)
    return block.kind === 'facts' && block.headline && next?.kind === 'action'
      ? card(
          block.rows,
          block.headline,
          html`<table role="presentation" style="${wide}"><tr><td style="padding:10px 0 4px">${button(next)}</td></tr></table>`,
        )
      : renderBlock(block)
  })

/** The preview text in mail lists. Without it they would show a sum, and others may see the screen of a private person. */
const preheader = (blocks: readonly Block[]): Html | null => {
  const action = blocks.find(block => block.kind === 'action')
  return action
    ? html`<div style="display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;overflow:hidden;mso-hide:all">${action.lead}${'\u00a0\u034f\u200c'.repeat(90)}</div>`
    : null
}

/** The sender: the logo, if there is one, and the name. Word reads the height from the attribute, others from the style. */
const head = (creditor: string, hasLogo: boolean | undefined): Html =>
  html`<table role="presentation" style="${wide}"><tr>${hasLogo && html`<td width="1" style="padding:0 12px 12px 0"><img src="cid:logo" alt="" height="44" style="display:block;width:auto;height:auto;max-width:160px;max-height:44px"></td>`}<td style="${strong};font-size:18px;padding:0 0 12px;word-break:break-word">${creditor}</td></tr></table>`

/** An email as HTML: dark on light, one column, the same words as in plain text. */
export const toHtml = (
  { subject, heading, reference, blocks }: Text,
  meta: { language: Language; creditor: string; hasLogo?: boolean },
): string =>
  html`<!doctype html>
<html lang="${meta.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light"><title>${subject}</title></head>
<body style="margin:0;padding:0;background-color:#f1f4f7">${preheader(blocks)}<div role="main" lang="${meta.language}"><table role="presentation" bgcolor="#f1f4f7" style="${wide}"><tr><td align="center" style="padding:16px 8px"><!--[if mso]><table role="presentation" width="600" align="center" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]--><table role="presentation" bgcolor="#ffffff" style="width:100%;max-width:600px;border-collapse:separate;background-color:#ffffff;border:1px solid #d5dbe3;border-radius:8px"><tr><td align="left" style="padding:20px 20px 8px">
${head(meta.creditor, meta.hasLogo)}
<h1 style="${face};font-size:20px;line-height:26px;color:#1c2430;margin:0 0 12px;word-break:break-word">${withNumberInOnePiece(heading, reference)}</h1>
${renderBlocks(blocks)}
</td></tr></table><!--[if mso]></td></tr></table><![endif]--></td></tr></table></div></body></html>
`.text
