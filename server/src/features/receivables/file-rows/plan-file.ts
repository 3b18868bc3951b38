import type { Row } from '../../../kit/sheets/cell.ts'
import { headerFaults } from './file-sentences.ts'
import { findHeader, type Header, headerSearchedRows, missingFields } from './match-header.ts'
import type { Language } from './row-codes.ts'
import type { ColumnMapping, ImportField } from './row-fields.ts'
import { FileSurvey, type ImportPlan } from './survey-file.ts'

export interface HeaderFault {
  code: keyof typeof headerFaults
  field: ImportField | null
  message: string
}

export type PlannedImport =
  | { header: Header; plan: ImportPlan }
  /** The header is included if there is one, so that a person can map its columns. */
  | { header: Header | null; faults: HeaderFault[] }

function faultsOf(header: Header, mapping: ColumnMapping, language: Language): HeaderFault[] {
  const ambiguous = header.ambiguous.filter(({ field }) => mapping[field] === undefined)
  const isAmbiguous = (field: ImportField) => ambiguous.some(other => other.field === field)
  return [
    ...ambiguous.map(({ field, titles }) => ({
      code: 'column_ambiguous' as const,
      field,
      message: headerFaults.column_ambiguous[language]({ field, titles }),
    })),
    ...missingFields(mapping)
      .filter(field => !isAmbiguous(field))
      .map(field => ({
        code: 'column_missing' as const,
        field,
        message: headerFaults.column_missing[language]({ field }),
      })),
  ]
}

/**
 * The first of two passes over the rows of a file. `recall` gives the mapping that a person chose before for files with the same
 * titles; it replaces the proposal.
 */
export async function planImport(
  batches: AsyncIterable<readonly Row[]>,
  {
    language = 'fr',
    recall,
  }: { language?: Language; recall?: (signature: string) => Promise<ColumnMapping | undefined> } = {},
): Promise<PlannedImport> {
  let first: Row[] = []
  let found: { header: Header; survey: FileSurvey } | null = null
  const open = async (): Promise<
    { header: Header; survey: FileSurvey } | { header: Header | null; faults: HeaderFault[] }
  > => {
    const header = findHeader(first)
    if (!header) {
      const code = 'header_not_found' as const
      return { header, faults: [{ code, field: null, message: headerFaults[code][language]() }] }
    }
    const mapping = (await recall?.(header.signature)) ?? header.mapping
    const faults = faultsOf(header, mapping, language)
    if (faults.length > 0) return { header, faults }
    const survey = new FileSurvey(header, mapping)
    for (const row of first) survey.observe(row)
    first = []
    return { header, survey }
  }
  for await (const rows of batches)
    if (found) for (const row of rows) found.survey.observe(row)
    else {
      first.push(...rows)
      if (first.length < headerSearchedRows) continue
      const opened = await open()
      if ('faults' in opened) return opened
      found = opened
    }
  if (!found) {
    const opened = await open()
    if ('faults' in opened) return opened
    found = opened
  }
  return { header: found.header, plan: found.survey.finish() }
}
