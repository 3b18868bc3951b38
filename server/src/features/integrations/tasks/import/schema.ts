import { z } from 'zod'
import { channels } from '../../../../domain/contact/channel.ts'
import { outputUuid } from '../../../../kit/fields.ts'
import { importFields } from '../../../receivables/file-rows/row-fields.ts'

/** What an import reports in addition to its counts; written while the file is read and judged. */
export const ImportReport = z
  .object({
    file: z.object({
      kind: z.enum(['csv', 'xlsx', 'ndjson']),
      sheet: z.string().nullable().meta({
        description: 'The sheet of the workbook that is read; choose another with `PUT …/mapping`',
      }),
      sheets: z
        .array(
          z.object({
            name: z.string(),
            hidden: z.boolean().meta({ description: 'Hidden in Excel; it is read only if you choose it' }),
          }),
        )
        .meta({ description: 'Every sheet of the workbook, also those that are not read' }),
      encoding: z.string().nullable(),
      separator: z.string().nullable(),
    }),
    headerLine: z.int().nullable().meta({ description: 'The line with the titles, as Excel numbers it' }),
    columns: z
      .array(
        z.object({
          column: z.int().meta({ description: 'Counted from 0' }),
          title: z.string(),
          field: z.enum(importFields).nullable().meta({ description: 'What it is read as; null: nothing' }),
          confidence: z.number().meta({ description: 'From 0 to 1; 1 also where a person chose' }),
        }),
      )
      .meta({ description: 'Change what they mean with `PUT …/mapping`' }),
    faults: z
      .array(z.object({ code: z.string(), field: z.enum(importFields).nullable(), message: z.string() }))
      .meta({ description: 'Why the columns cannot be read; correct them with `PUT …/mapping`' }),
    debtors: z
      .object({ matched: z.int(), new: z.int() })
      .nullable()
      .meta({ description: 'Null until the rows are judged' }),
    healed: z
      .array(z.object({ code: z.string(), message: z.string(), count: z.int() }))
      .meta({ description: 'What was changed to read cells, each with one example' }),
    firstMessages: z.array(z.object({ date: z.iso.date(), channel: z.enum(channels), count: z.int() })).meta({
      description:
        'The first message to each debtor that is new, by day and channel; at most 100 lines. Debtors that you have already keep their plan',
    }),
    undoTaskId: outputUuid.nullable(),
  })
  .meta({ id: 'FileImport' })
export type ImportReport = z.input<typeof ImportReport>

export const emptyReport: Omit<ImportReport, 'file'> = {
  headerLine: null,
  columns: [],
  faults: [],
  debtors: null,
  healed: [],
  firstMessages: [],
  undoTaskId: null,
}
