import { type Printable, printable } from './printable.ts'

type Pdf = PDFKit.PDFDocument
export type Element = PDFKit.PDFStructureElement

const margin = 52
const a4 = { width: 595.28, height: 841.89 }
const footerAt = a4.height - 40
const bottom = a4.height - 60
export const left = margin
export const fullWidth = a4.width - 2 * margin

export const colours = { ink: '#1c2430', muted: '#5b6673', line: '#c8d0d8', shade: '#f1f4f7' }

const fonts = { regular: 'Helvetica', bold: 'Helvetica-Bold', mono: 'Courier' }

export interface Style {
  size: number
  font?: keyof typeof fonts
  colour?: string
  align?: 'left' | 'right'
}

/** The kind of a text: a heading, a paragraph, a quotation, a cell, the head of a column or of a row. */
type Kind = 'H1' | 'H2' | 'P' | 'BlockQuote' | 'TD' | 'TH.Column' | 'TH.Row'

export interface Place {
  x: number
  y: number
  width: number
}

export interface Column {
  title: string
  width: number
  style?: Partial<Style>
  /** Moves smaller text down, so that it is on the baseline of the other columns. */
  baselineShift?: number
}

const cellPadding = 3

/**
 * A4 pages on which all text is tagged: it is part of the document structure, in the order in which it is read. Everything else
 * is marked as decoration.
 */
export class Sheet {
  readonly #pdf: Pdf
  readonly #root: Element
  /** Whether all that was written could be printed as it is. */
  isExact = true

  constructor(pdf: Pdf) {
    this.#pdf = pdf
    this.#root = pdf.struct('Document')
    pdf.addStructure(this.#root)
  }

  get y(): number {
    return this.#pdf.y
  }

  moveTo(y: number): void {
    this.#pdf.y = y
  }

  element(tag: string, parent: Element = this.#root): Element {
    const element = this.#pdf.struct(tag)
    parent.add(element)
    return element
  }

  /** Writes text as a separate element, wrapped to its width; it continues on the next page if necessary. */
  write(kind: Kind, text: string, style: Style, place: Place, parent: Element = this.#root): void {
    const shown = printable(text)
    this.isExact &&= shown.isExact
    const [tag, scope] = kind.split('.') as [string, string?]
    const options = { ...(!shown.isExact && { actual: text }), ...(scope && { scope }) }
    parent.add(this.#pdf.struct(tag, options, () => this.#draw(shown, style, place)))
  }

  heightOf(text: string, style: Style, width: number): number {
    const shown = printable(text).text
    const pen = this.#inked(style)
    return this.#isOneLine(shown, width)
      ? pen.currentLineHeight(true) + gapOf(style)
      : pen.heightOfString(shown, { width, lineGap: gapOf(style) })
  }

  /** Starts a new page if the next `height` points do not fit on this one. */
  keepTogether(height: number): void {
    if (this.#pdf.y + height > bottom) this.#pdf.addPage()
  }

  startPage(): void {
    this.#pdf.addPage()
  }

  rule(y: number): void {
    this.#decorate('Layout', () => this.#line(y))
  }

  shade({ x, y, width }: Place, height: number): void {
    this.#decorate('Layout', () => this.#pdf.rect(x, y, width, height).fill(colours.shade))
  }

  /** A PNG or JPEG, fitted into a width and a height. */
  picture(alt: string, { x, y, width }: Place, height: number, bytes: Buffer): void {
    this.#root.add(
      this.#pdf.struct('Figure', { alt }, () => this.#pdf.image(bytes, x, y, { fit: [width, height] })),
    )
  }

  /** Black squares with the white rim that cameras need, read out as `alt`. */
  squares(alt: string, { x, y, width }: Place, cells: readonly (readonly boolean[])[]): void {
    const size = width / cells.length
    this.#root.add(
      this.#pdf.struct('Figure', { alt }, () => {
        const rim = 2 * size
        this.#pdf.rect(x - rim, y - rim, width + 2 * rim, width + 2 * rim).fill('#ffffff')
        for (const [row, line] of cells.entries())
          for (const [column, isDark] of line.entries())
            if (isDark) this.#pdf.rect(x + column * size, y + row * size, size, size)
        this.#pdf.fill('#000000')
      }),
    )
  }

  /** Rows of cells under a head, which is repeated on each page. A row is never split. Sums follow below, in bold. */
  table(
    columns: readonly Column[],
    rows: readonly (readonly string[])[],
    style: Style,
    sums: readonly (readonly string[])[] = [],
  ): void {
    const table = this.element('Table')
    const headStyle: Style = { ...style, font: 'bold', colour: colours.muted }
    const head = columns.map(column => column.title)
    this.keepTogether(this.#rowHeight(columns, head, headStyle) * 2)
    this.#row(columns, head, headStyle, 'TH.Column', this.element('TR', this.element('THead', table)))
    const body = this.element('TBody', table)
    for (const row of [...rows, ...sums]) {
      const own: Style = sums.includes(row) ? { ...style, font: 'bold' } : style
      if (this.#pdf.y + this.#rowHeight(columns, row, own) > bottom) {
        this.#pdf.addPage()
        this.#decorate('Pagination', () => this.#row(columns, head, headStyle, 'TH.Column', null))
      }
      this.#row(columns, row, own, 'TD', this.element('TR', body))
    }
  }

  /** The whole document, each page with its foot. */
  async close(footOf: (page: number, pages: number) => readonly [string, string]): Promise<Buffer> {
    const { count } = this.#pdf.bufferedPageRange()
    const style: Style = { size: 7.5, colour: colours.muted }
    for (let page = 0; page < count; page++) {
      this.#pdf.switchToPage(page)
      const [start, end] = footOf(page + 1, count).map(text => printable(text).text) as [string, string]
      this.#decorate('Pagination', () => {
        const pen = this.#inked(style)
        pen.text(start, left, footerAt, { lineBreak: false })
        pen.text(end, left + fullWidth - pen.widthOfString(end), footerAt, { lineBreak: false })
      })
    }
    this.#root.end()
    this.#pdf.end()
    return Buffer.concat(await this.#pdf.toArray())
  }

  #row(columns: readonly Column[], cells: readonly string[], style: Style, kind: Kind, row: Element | null) {
    const top = this.#pdf.y
    const height = this.#rowHeight(columns, cells, style)
    let x = left
    for (const [i, column] of columns.entries()) {
      const align = column.style?.align
      const own = { ...style, ...(kind === 'TD' ? column.style : align && { align }) }
      const y = top + cellPadding + (kind === 'TD' ? (column.baselineShift ?? 0) : 0)
      const place = { x: x + cellPadding, y, width: column.width - 2 * cellPadding }
      if (row) this.write(kind, cells[i]!, own, place, row)
      else this.#draw(printable(cells[i]!), own, place)
      x += column.width
    }
    row?.end()
    // The head repeated on a page is decoration as a whole, its line included.
    if (row) this.rule(top + height)
    else this.#line(top + height)
    this.#pdf.y = top + height
  }

  #rowHeight(columns: readonly Column[], cells: readonly string[], style: Style): number {
    const heights = columns.map((column, i) =>
      this.heightOf(cells[i]!, { ...style, ...column.style }, column.width - 2 * cellPadding),
    )
    return Math.max(...heights) + 2 * cellPadding
  }

  #inked(style: Style): Pdf {
    return this.#pdf
      .font(fonts[style.font ?? 'regular'])
      .fontSize(style.size)
      .fillColor(style.colour ?? colours.ink)
  }

  /** Wrapping costs ten times what drawing does, and most texts are one line. */
  #isOneLine(text: string, width: number): boolean {
    return !text.includes('\n') && this.#pdf.widthOfString(text) <= width
  }

  #draw({ text }: Printable, style: Style, { x, y, width }: Place): void {
    const pen = this.#inked(style)
    const height = pen.currentLineHeight(true) + gapOf(style)
    if (y + height > bottom || !this.#isOneLine(text, width))
      return void pen.text(text, x, y, { width, lineGap: gapOf(style), align: style.align ?? 'left' })
    const indent = style.align === 'right' ? width - pen.widthOfString(text) : 0
    pen.text(text, x + indent, y, { lineBreak: false })
    Object.assign(pen, { x, y: y + height })
  }

  #line(y: number): void {
    this.#pdf
      .moveTo(left, y)
      .lineTo(left + fullWidth, y)
      .lineWidth(0.6)
      .stroke(colours.line)
  }

  #decorate(type: 'Layout' | 'Pagination', draw: () => void): void {
    const { x, y } = this.#pdf
    this.#pdf.markContent('Artifact', { type })
    draw()
    this.#pdf.endMarkedContent()
    if (type === 'Layout') Object.assign(this.#pdf, { x, y })
  }
}

const gapOf = ({ size }: Style) => size * 0.22

/**
 * Loads the library on first use: it takes a third of a second and thirty megabytes. Code that draws while holding a lock loads
 * it before taking the lock.
 */
export const loadPdfKit = () => import('pdfkit')

/** An empty sheet. Its date and identifier come from the content, so that the same text gives the same bytes. */
export async function openSheet(options: { title: string; lang: string; madeAt: number }): Promise<Sheet> {
  const { default: PDFDocument } = await loadPdfKit()
  return new Sheet(
    new PDFDocument({
      size: 'A4',
      margins: { top: margin, left: margin, right: margin, bottom: a4.height - bottom },
      pdfVersion: '1.7',
      tagged: true,
      lang: options.lang,
      displayTitle: true,
      bufferPages: true,
      // The library writes these into XML without escaping them: nothing a customer typed belongs here.
      info: {
        Title: options.title,
        Creator: 'Relance',
        Producer: 'Relance',
        CreationDate: new Date(options.madeAt),
      },
    }),
  )
}
