import { describe, expect, it } from 'vitest'
import { brevoCallbacks } from '../../src/adapters/email/brevo.ts'
import { inboundMail } from '../../src/adapters/email/inbound.ts'
import { ovhCallbacks } from '../../src/adapters/sms/ovhcloud-callbacks.ts'
import { forbiddenIn } from '../../src/domain/contact/forbidden-words.ts'
import { foreignPaymentIn, paymentDetailsIn } from '../../src/domain/contact/payment-details.ts'
import { speakable } from '../../src/features/debtor-side/calls/speakable.ts'
import { createMarkdownCleaner } from '../../src/features/integrations/assistant/clean-markdown.ts'
import { planImport } from '../../src/features/receivables/file-rows/plan-file.ts'
import { columnTitles, importFields } from '../../src/features/receivables/file-rows/row-fields.ts'
import type { Cell } from '../../src/kit/sheets/cell.ts'
import { readTable } from '../../src/kit/sheets/read-table.ts'
import { SheetError } from '../../src/kit/sheets/sheet-error.ts'
import { rowReaderOf } from '../harness/read-rows.ts'
import { workbookOf, zipOf } from '../harness/zip-of.ts'
import { cpuMsOf, hostileTexts } from './hostile-texts.ts'

const cpuMaxMs = 50
/** Excel allows no longer cell. */
const cellLength = 32_767
const megabyte = 1_000_000

/** What takes too long, by the name of its text. */
async function tooSlow(
  texts: Record<string, string>,
  work: (text: string) => unknown,
  maxMs = cpuMaxMs,
): Promise<string[]> {
  const faults: string[] = []
  for (const [what, text] of Object.entries(texts)) {
    const ms = await cpuMsOf(() => work(text), maxMs)
    if (ms > maxMs) faults.push(`${what}: ${Math.round(ms)} ms`)
  }
  return faults
}

const planned = async () => {
  const titles: Cell[] = importFields.map(field => columnTitles[field].sure.split(',')[0]!)
  const plan = await planImport(
    (async function* () {
      yield [{ line: 1, cells: titles }]
    })(),
  )
  if (!('plan' in plan)) throw new Error(JSON.stringify(plan.faults))
  return plan.plan
}

describe('a text that a caller has no other limit for takes little time', () => {
  it.each(importFields)('in a cell: %s', async field => {
    const plan = await planned()
    const read = rowReaderOf(plan)
    const example: Cell[] = importFields.map(() => null)
    for (const [other, cell] of Object.entries({
      invoiceNumber: 'F-1',
      amount: '12,50',
      issueDate: '01/09/2026',
      dueDate: '01/10/2026',
      'debtor.name': 'Durand',
      'debtor.email': 'a@b.fr',
    }))
      example[plan.mapping[other as keyof typeof plan.mapping]!] = cell
    const faults = await tooSlow(hostileTexts(cellLength), text => {
      const cells = [...example]
      cells[plan.mapping[field]!] = text
      read({ line: 2, cells })
    })
    expect(faults).toEqual([])
  })

  it('in a title', async () => {
    const faults = await tooSlow(hostileTexts(cellLength), text =>
      planImport(
        (async function* () {
          yield [{ line: 1, cells: ['N° facture', text, text] }]
        })(),
      ),
    )
    expect(faults).toEqual([])
  })

  it('in an answer of the assistant, at once and in pieces', async () => {
    const clean = (text: string, size: number) => {
      const cleaner = createMarkdownCleaner('https://relance.example', () => {})
      for (let at = 0; at < text.length; at += size) cleaner.add(text.slice(at, at + size))
      return cleaner.end()
    }
    expect(await tooSlow(hostileTexts(60_000), text => clean(text, text.length))).toEqual([])
    // The pieces arrive one by one, so this is the time of thousands of turns.
    expect(await tooSlow(hostileTexts(60_000), text => clean(text, 16), 1_000)).toEqual([])
  })

  it('in a sentence of a call', async () => {
    const say = (text: string) => speakable(text, { language: 'fr', mayNameCourt: false })
    expect(await tooSlow(hostileTexts(20_000), say)).toEqual([])
  })

  it('in a text that a company wrote', async () => {
    const permissions = { language: 'fr', mayNameCourt: false, mayClaim: false } as const
    expect(await tooSlow(hostileTexts(10_000), text => forbiddenIn(text, permissions))).toEqual([])
    expect(await tooSlow(hostileTexts(10_000), paymentDetailsIn)).toEqual([])
    expect(await tooSlow(hostileTexts(10_000), foreignPaymentIn)).toEqual([])
  })

  it('in the callback of a provider', async () => {
    const ovh = ovhCallbacks('k', {
      applicationKey: 'a',
      applicationSecret: 'b',
      consumerKey: 'c',
      service: 'd',
      sender: 'e',
      baseUrl: 'http://127.0.0.1:1',
      wall: () => 0,
    })
    const brevo = brevoCallbacks('k')
    const request = { method: 'POST', code: null, wall: 0 }
    const asForm = (text: string) =>
      ovh.read({
        ...request,
        url: 'https://relance.example/callbacks/ovh?key=k&id=1',
        headers: {},
        body: Buffer.from(new URLSearchParams({ date: text, sender: text, message: text }).toString()),
      })
    const asJson = (text: string) =>
      brevo.read({
        ...request,
        url: 'https://relance.example/callbacks/brevo',
        headers: { authorization: 'Bearer k' },
        body: Buffer.from(
          JSON.stringify({ event: text, tag: text, tags: [text], email: text, reason: text }),
        ),
      })
    expect(await tooSlow({ ...hostileTexts(15_000), 'letters T': 'T'.repeat(15_000) }, asForm)).toEqual([])
    expect(await tooSlow(hostileTexts(12_000), asJson)).toEqual([])
    await ovh.close()
  })

  it('in a mail', async () => {
    const inbound = inboundMail('k')
    const read = (mail: string) =>
      inbound.read({
        method: 'POST',
        url: 'https://relance.example/callbacks/mail',
        code: null,
        wall: 0,
        headers: { authorization: 'Bearer k' },
        body: Buffer.from(mail),
      })
    const utf8 = 'Content-Type: text/plain; charset=utf-8\r\n'
    const to = 'To: reply+ab12345678901234567890@in.relance.example\r\n'
    expect(await tooSlow(hostileTexts(megabyte), text => read(`${to}${utf8}\r\n${text}`))).toEqual([])
    expect(await tooSlow(hostileTexts(20_000), text => read(`${to}Subject: ${text}\r\n\r\nx`))).toEqual([])
    expect(await tooSlow(hostileTexts(20_000), text => read(`To: ${text}\r\n\r\nx`))).toEqual([])
    const html = (text: string) => read(`${to}Content-Type: text/html; charset=utf-8\r\n\r\n${text}`)
    expect(await tooSlow(hostileTexts(200_000), html)).toEqual([])
  })

  // The thread that reads a file may take longer than the main thread; its time limit is a minute.
  it('in the names of a file', async () => {
    const escaped = (text: string) => text.replaceAll(/[<"&]/g, '_')
    const readAll = async (bytes: Buffer) => {
      try {
        for await (const _ of (await readTable(bytes)).rows);
      } catch (error) {
        if (!(error instanceof SheetError)) throw error
      }
    }
    const row = '<row><c s="0"><v>1</v></c></row>'
    const faults: string[] = []
    for (const [what, text] of Object.entries(hostileTexts(50_000))) {
      const books = {
        'sheet name': await workbookOf({ sheets: { [escaped(text).slice(0, 30_000)]: row } }),
        format: await workbookOf({ sheets: { A: row }, formats: [{ id: 164, code: escaped(text) }] }),
        part: await zipOf({ [`xl/${text.replaceAll(/[/\\:]/g, '_').slice(0, 15_000)}`]: 'x' }),
      }
      for (const [name, bytes] of Object.entries(books)) {
        const ms = await cpuMsOf(() => readAll(bytes), cpuMaxMs)
        if (ms > cpuMaxMs) faults.push(`${name}, ${what}: ${Math.round(ms)} ms`)
      }
    }
    expect(faults).toEqual([])
  })
})
