import { isDeepStrictEqual } from 'node:util'
import { SheetError } from '../../src/kit/sheets/sheet-error.ts'
import { type FileReading, readInvoiceFile } from '../harness/read-rows.ts'
import type { DrawnFile } from './draw-file.ts'
import type { TrueInvoice } from './draw-invoice.ts'
import type { WrittenFile } from './write-file.ts'

export interface FileJudgement {
  /** Rows that can be read, and those of them that were imported exactly right. */
  readable: number
  understood: number
  /** Rows that were imported although they must not be, or with another value than the file has. */
  wrong: string[]
  /** Why readable rows were not imported. */
  refusals: string[]
}

type Result = FileReading['results'][number]
type Input = Extract<Result, { input: unknown }>['input']

const plainInvoice = (invoice: TrueInvoice | Input): Record<string, unknown> => {
  const { debtor, ...rest } = invoice as TrueInvoice
  const { invoiceNumber, amountCents, currency, issueDate, dueDate, description } = rest
  const { name, email, phone, siret, address, postalCode, city, country = 'FR' } = debtor
  const all = {
    invoiceNumber,
    amountCents,
    currency,
    issueDate,
    dueDate,
    description,
    name,
    email,
    phone,
    siret,
  }
  return { ...all, address, postalCode, city, country }
}

/** The fields that differ. A value that was left out is told apart: nothing false is claimed where its column is not read. */
function differences(expected: TrueInvoice, seen: Input): { wrong: string[]; leftOut: string[] } {
  const [should, is] = [plainInvoice(expected), plainInvoice(seen)]
  const differing = Object.keys(should).filter(key => !isDeepStrictEqual(should[key], is[key]))
  const isLeftOut = (key: string) => is[key] === undefined && key !== 'currency'
  return {
    wrong: differing.filter(key => !isLeftOut(key)).map(key => `${key} ${is[key]} instead of ${should[key]}`),
    leftOut: differing.filter(isLeftOut),
  }
}

async function reading({ bytes }: WrittenFile): Promise<FileReading | string> {
  try {
    return await readInvoiceFile(bytes)
  } catch (error) {
    if (error instanceof SheetError) return error.code
    throw error
  }
}

/** Compares what an import makes of a file with what the file says. */
export async function judgeFile({ shape, rows }: DrawnFile, written: WrittenFile): Promise<FileJudgement> {
  const judgement: FileJudgement = { readable: 0, understood: 0, wrong: [], refusals: [] }
  const read = await reading(written)
  const results = new Map<number, Result>()
  if (typeof read !== 'string') for (const result of read.results) results.set(result.line, result)
  const faults =
    typeof read === 'string' ? read : read.faults.map(({ code, field }) => `${code} ${field}`).join()
  for (const [at, { truth, cells }] of rows.entries()) {
    const line = written.lines[at]!
    const result = results.get(line)
    results.delete(line)
    const isReadable = truth?.invoice !== undefined && !truth.mayBeRefused
    if (isReadable) judgement.readable++
    const about = (text: string) =>
      `${text} | ${shape.kind} ${shape.currency} ${JSON.stringify(shape.titles)} ${JSON.stringify(cells)}`
    if (result === undefined || !('input' in result)) {
      if (isReadable) judgement.refusals.push(about(refusalOf(result, faults)))
      continue
    }
    if (!truth?.invoice) {
      judgement.wrong.push(about('imported, and must not be'))
      continue
    }
    const { wrong, leftOut } = differences(truth.invoice, result.input)
    const isTold = leftOut.every(field => result.healed.some(healed => healed.field.endsWith(field)))
    const isUnread = typeof read !== 'string' && read.columns.some(({ field }) => field === null)
    if (wrong.length > 0) judgement.wrong.push(about(wrong.join(', ')))
    else if (leftOut.length === 0) judgement.understood += isReadable ? 1 : 0
    else if (isTold || isUnread) judgement.refusals.push(about(`left out ${leftOut.join()}`))
    else judgement.wrong.push(about(`left out without a word: ${leftOut.join()}`))
  }
  for (const [line, result] of results)
    if ('input' in result) judgement.wrong.push(`line ${line} is no row of the file`)
  return judgement
}

function refusalOf(result: Result | undefined, faults: string): string {
  if (result === undefined) return faults || 'not read'
  if ('skipped' in result) return result.skipped
  return 'refused' in result ? result.refused.map(({ field, code }) => `${field} ${code}`).join() : ''
}
