import { z } from 'zod'
import { line, note } from '../../../kit/fields.ts'

const keysMax = 50
const depthMax = 3
const bytesMax = 16 * 1024
const keyText = line(40)
const valueText = note(500)

const normalized = (value: unknown): unknown => {
  if (typeof value === 'string') return value.normalize('NFC')
  if (Array.isArray(value)) return value.map(normalized)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.normalize('NFC'), normalized(inner)]),
  )
}

/** Free data of the customer: any JSON, within limits that keep an invoice a record and not a file store. */
export const Metadata = z
  .custom<Record<string, z.core.util.JSONType>>(
    value => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be a JSON object',
  )
  .superRefine((metadata, context) => {
    const addIssue = (message: string, path: (string | number)[] = []) =>
      context.addIssue({ code: 'custom', message, path })
    const judgeText = (schema: z.ZodType, text: string, path: (string | number)[]) => {
      for (const issue of schema.safeParse(text).error?.issues ?? [])
        context.addIssue({ ...(issue as z.core.$ZodIssueCustom), code: 'custom', path })
    }
    const judge = (value: unknown, path: (string | number)[]): void => {
      if (typeof value === 'string') judgeText(valueText, value, path)
      if (typeof value !== 'object' || value === null) return
      if (path.length > depthMax) addIssue(`is nested deeper than ${depthMax} levels`, path)
      else
        for (const [key, inner] of Object.entries(value)) {
          const place = [...path, Array.isArray(value) ? Number(key) : key]
          if (!Array.isArray(value)) judgeText(keyText, key, place)
          judge(inner, place)
        }
    }
    if (Object.keys(metadata).length > keysMax) addIssue(`has more than ${keysMax} keys`)
    judge(metadata, [])
    if (Buffer.byteLength(JSON.stringify(metadata)) > bytesMax) addIssue('is larger than 16 KB')
  })
  .transform(metadata => normalized(metadata) as Record<string, z.core.util.JSONType>)
  .meta({
    type: 'object',
    additionalProperties: true,
    maxProperties: keysMax,
    description:
      'Any JSON: up to 50 keys of 40 characters, values nested up to 3 levels, texts of up to 500 characters, 16 KB in all',
  })
