import { SaxesParser } from 'saxes'
import { SheetError } from './sheet-error.ts'

/** No tag, text or comment of a table is longer; the parser has to keep it whole. */
const tokenMax = 1_000_000
const depthMax = 100

export interface XmlEvents {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close?(name: string): void
  text?(text: string): void
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/**
 * Reports the elements by their names without prefix. After each piece of text the caller gets its turn, so that what the events
 * gathered can be passed on. A document type is refused: there are no entities but the five of XML.
 */
export async function* readXml(chunks: AsyncIterable<string>, events: XmlEvents): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: false, position: false })
  let [sinceToken, depth] = [0, 0]
  parser.on('error', cause => {
    throw new SheetError('damaged_file', {}, { cause })
  })
  parser.on('doctype', () => {
    throw new SheetError('has_document_type')
  })
  parser.on('opentag', ({ name, attributes }) => {
    sinceToken = 0
    if (++depth > depthMax) throw new SheetError('damaged_file')
    events.open(localName(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    sinceToken = 0
    depth--
    events.close?.(localName(name))
  })
  const text = (content: string) => {
    sinceToken = 0
    events.text?.(content)
  }
  parser.on('text', text)
  parser.on('cdata', text)
  for await (const chunk of chunks) {
    sinceToken += chunk.length
    parser.write(chunk)
    if (sinceToken > tokenMax) throw new SheetError('damaged_file')
    yield
  }
  parser.close()
}

/** For parts that are small enough to be read in one go. */
export async function readWholeXml(chunks: AsyncIterable<string>, events: XmlEvents): Promise<void> {
  for await (const _ of readXml(chunks, events));
}
