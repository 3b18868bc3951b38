import { z } from 'zod'
import { DAY, HOUR, MINUTE } from '../../../domain/time.ts'

const pattern =
  /^P(?=.)(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?=.)(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$/
const units = [7 * DAY, DAY, HOUR, MINUTE, 1_000]

export const longestAdvance = 366 * DAY

/** An ISO 8601 duration in milliseconds. Months and years are refused: their length varies. */
export const duration = z
  .string()
  .max(40)
  .transform((text, context): number => {
    const parts = pattern.exec(text)?.slice(1)
    const ms = parts?.reduce((sum, part, i) => sum + Number(part ?? 0) * units[i]!, 0) ?? 0
    if (ms > 0 && ms <= longestAdvance) return ms
    const message = parts
      ? 'must be longer than nothing and 366 days at most'
      : 'must be an ISO 8601 duration of weeks, days, hours, minutes and seconds, as P3D, PT6H or P1W'
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
  .meta({ format: 'duration', examples: ['P3D', 'PT6H', 'P1W'] })
