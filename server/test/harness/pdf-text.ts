import { inflateSync } from 'node:zlib'

const winAnsi = new TextDecoder('windows-1252')

/** What a page's content shows: the codes of each text object, in the order in which they are drawn. */
const shown = (content: string): string[] =>
  [...content.matchAll(/^BT$([\s\S]*?)^ET$/gm)].map(([, drawn]) =>
    [...drawn!.matchAll(/<([0-9a-f]*)>/g)]
      .map(([, hex]) => winAnsi.decode(Buffer.from(hex!, 'hex')))
      .join(''),
  )

const contentsOf = (pdf: Buffer): string[] =>
  [...pdf.toString('latin1').matchAll(/\/Filter \/FlateDecode[\s\S]*?\nstream\n([\s\S]*?)\nendstream/g)].map(
    ([, bytes]) => inflateSync(Buffer.from(bytes!, 'latin1')).toString('latin1'),
  )

export interface PdfText {
  pages: number
  /** A line break after every line drawn. */
  lines: string
  /** The same with every run of spaces and breaks as one space: a sentence, however it was wrapped. */
  text: string
  /** What is drawn and neither tagged nor marked as decoration; there should be none. */
  unmarked: string[]
  /** The text of each page, with every run of spaces and breaks as one space. */
  pageTexts: string[]
}

/** Reads the text of a PDF made with standard fonts, without a PDF library: it must not share the writer's mistakes. */
export function readPdf(pdf: Buffer): PdfText {
  const contents = contentsOf(pdf)
  const lines = contents.flatMap(shown).join('\n')
  const marked = /\/\w+ (?:BMC|<<[^>]*>> BDC)[\s\S]*?^EMC$/gm
  return {
    pages: contents.length,
    lines,
    text: lines.replaceAll(/\s+/g, ' '),
    pageTexts: contents.map(content => shown(content).join('\n').replaceAll(/\s+/g, ' ')),
    unmarked: contents.flatMap(content => shown(content.replaceAll(marked, ''))),
  }
}
