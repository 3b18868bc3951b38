import type { Choices } from './choices.ts'
import * as currencies from './currencies.ts'
import type { Shape } from './draw-shape.ts'
import { type DrawnCell, pointOf, writeSum } from './spellings.ts'
import type { DrawnField } from './titles.ts'

export type Values = Partial<Record<DrawnField, DrawnCell>>

type SumKind = 'usual' | 'credit' | 'zero' | 'none' | 'paid'

interface DrawnSums {
  /** What is left to pay; null: the row does not say it. */
  openCents: number | null
  totalCents: number
  /** A reader may take the sign between thousands for the decimal sign. */
  isUnsure: boolean
  /** Null: beside its sums the row names no currency. */
  currency: currencies.CurrencyName['code'] | 'none'
}

/** Writes the sums of a row into `values`. */
export function drawSums(
  choices: Choices,
  shape: Shape,
  cents: number,
  values: Values,
  kind: SumKind,
): DrawnSums {
  const has = (field: DrawnField) => shape.fields.includes(field)
  const isOwn = shape.kind === 'ndjson' && shape.json === 'ownExport'
  const hasRest = has('balance') || has('paid') || isOwn
  const total = kind === 'credit' ? -cents : kind === 'zero' ? 0 : cents
  const isPart = kind === 'usual' && hasRest && choices.happens(25)
  const paid = kind === 'paid' && hasRest ? total : isPart ? Math.floor(total / choices.between(2, 5)) : 0
  const net = Math.round(total / 1.2)
  const sums: Partial<Record<DrawnField, number | null>> = {
    net,
    tax: total - net,
    gross: total,
    balance: total - paid,
    paid: paid === 0 && choices.happens(50) ? null : paid,
    debit: total > 0 ? total : null,
    credit: total < 0 ? -total : null,
  }
  const sign = signOf(choices, shape)
  const pattern = formatOf(choices, shape)
  let isUnsure = false
  for (const field of ['net', 'tax', 'gross', 'balance', 'paid', 'debit', 'credit'] as const) {
    const sum = sums[field]
    if (!has(field) || sum === null || sum === undefined || kind === 'none') continue
    if (shape.areSumsNumbers) {
      values[field] = {
        number: pointOf(sum),
        ...(pattern.format !== undefined && { format: pattern.format }),
      }
      continue
    }
    const isWhole = choices.happens(6)
    const text = writeSum(sum, shape.numbers, isWhole)
    const isGrouped = shape.numbers === 'dotGroups' || shape.numbers === 'commaGroups'
    isUnsure ||= isGrouped && isWhole && sum % 100 === 0 && Math.abs(sum) >= 100_000
    values[field] = sign === null ? text : beside(choices, text, sign.text)
  }
  const isRead = has('gross') || has('balance') || has('debit')
  return {
    openCents: kind === 'none' || !isRead || (has('debit') && total <= 0) ? null : total - paid,
    totalCents: total,
    isUnsure,
    currency: kind === 'none' ? 'none' : sign ? sign.code : pattern.code,
  }
}

function signOf(choices: Choices, { currency, encoding, kind }: Shape): currencies.CurrencyName | null {
  if (currency !== 'cell') return null
  const known =
    kind === 'csv' && encoding === 'windows-1252'
      ? currencies.signs.filter(currencies.isWestern)
      : currencies.signs
  return choices.happens(55) ? choices.one(known.filter(({ code }) => code === 'EUR')) : choices.one(known)
}

function formatOf(
  choices: Choices,
  { currency, kind }: Shape,
): { format?: number | string; code: string | null | 'none' } {
  if (kind !== 'xlsx') return { code: 'none' }
  if (currency !== 'format')
    return { ...(choices.happens(50) && { format: choices.one(currencies.plainFormats) }), code: 'none' }
  const inEuros = currencies.formats.filter(({ code }) => code === 'EUR')
  return choices.happens(55) ? choices.one(inEuros) : choices.one(currencies.formats)
}

const beside = (choices: Choices, sum: string, sign: string): string =>
  choices.one([
    `${sum} ${sign}`,
    `${sum} ${sign}`,
    `${sum}\u00a0${sign}`,
    `${sum}${sign}`,
    `${sign} ${sum}`,
    `${sign}${sum}`,
  ])
