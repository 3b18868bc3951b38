import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '../errors.ts'
import { jsonFault } from './json-fault.ts'
import { faultsMax } from './validate.ts'

const depthMax = 32
/** Values in the whole body: a bulk import of 100 invoices with full metadata has some 10,000. */
const valuesMax = 20_000
/** Items of one list. No request has more than 1,000. */
const itemsMax = 5_000
/** Names in one object. No request has more than 50. */
const namesMax = 500

const quote = 34
const comma = 44
const colon = 58
const openList = 91
const backslash = 92
const closeList = 93
const openObject = 123
const closeObject = 125

const tooComplex = (message: string) => new ApiError('VAL_004', `The body ${message}.`)

/** The position after the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return at + 1
  }
  return text.length
}

function nameOf(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    return JSON.parse(quoted) as string
  } catch {
    // Not JSON: the parser reports it later.
    return quoted
  }
}

/** A client may choose names of any length. */
const shown = (path: string) => path.slice(0, 200)
const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

interface Level {
  /** Null in a list. */
  names: Set<string> | null
  path: string
  items: number
}

/**
 * Judges a JSON text by its punctuation, before it is parsed and validated: both cost much more than this. Returns the names
 * that are repeated in one object; of these `JSON.parse` would silently take the last.
 */
function checkStructure(text: string): string[] {
  const levels: Level[] = []
  const repeated: string[] = []
  let level: Level | undefined
  let values = 0
  let lastName = ''
  let stringStart = -1
  let stringEnd = -1
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        stringStart = at
        stringEnd = endOfString(text, at)
        at = stringEnd - 1
        break
      case colon: {
        if (!level?.names || stringStart < 0) break
        const name = nameOf(text.slice(stringStart, stringEnd))
        if (name === '__proto__') throw tooComplex('has a key named __proto__')
        if (level.names.has(name) && repeated.length < faultsMax) repeated.push(shown(join(level.path, name)))
        level.names.add(name)
        if (level.names.size > namesMax) throw tooComplex(`has an object with more than ${namesMax} names`)
        lastName = shown(name)
        // Each name is read once, at its first colon: reading a long name again at further colons would take too long.
        stringStart = -1
        break
      }
      case openObject:
      case openList: {
        if (levels.length === depthMax) throw tooComplex(`is nested deeper than ${depthMax} levels`)
        const inside: string = !level
          ? ''
          : level.names
            ? join(level.path, lastName)
            : `${level.path}[${level.items}]`
        const names = text.charCodeAt(at) === openObject ? new Set<string>() : null
        level = { names, path: shown(inside), items: 0 }
        levels.push(level)
        if (++values > valuesMax) throw tooComplex(`has more than ${valuesMax} values`)
        break
      }
      case closeObject:
      case closeList:
        levels.pop()
        level = levels.at(-1)
        break
      case comma:
        if (level && ++level.items === itemsMax)
          throw tooComplex(`has a list or object of more than ${itemsMax} items`)
        if (++values > valuesMax) throw tooComplex(`has more than ${valuesMax} values`)
        break
    }
  }
  return repeated
}

const notJson = (text: string) =>
  new ApiError('VAL_004', `The body is not valid JSON, at ${jsonFault(text)}.`)

const refuseRepeated = (repeated: readonly string[]) => {
  if (repeated.length > 0)
    throw new ApiError('VAL_001', `${repeated[0]} is given more than once.`, {
      details: repeated.map(field => ({ field, code: 'repeated', message: 'is given more than once' })),
    })
}

/** Undefined: it is not JSON, which has no such value. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Strict JSON: well formed, not nested too deeply, not too many values, no name twice in an object, and no `__proto__`. */
export function parseJson(text: string): unknown {
  const repeated = checkStructure(text)
  const value = parsed(text)
  if (value === undefined) throw notJson(text)
  refuseRepeated(repeated)
  return value
}

/** The same for a large text: other work comes first between the steps. */
export async function parseLargeJson(text: string): Promise<unknown> {
  await nextTurn()
  const repeated = checkStructure(text)
  await nextTurn()
  const value = parsed(text)
  if (value === undefined) {
    await nextTurn()
    throw notJson(text)
  }
  refuseRepeated(repeated)
  return value
}
