import { openAsBlob } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import type { ApiPromise, List, Relance } from '../index.ts'
import type { Command } from './command.ts'
import { kebab, type Line, type Values, wordsOf } from './command-line.ts'
import { UsageError } from './errors.ts'
import { note, print, recordText, tablePrinter } from './output.ts'

const standardInput = async (): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

const unreadable = (path: string) => (error: NodeJS.ErrnoException) => {
  throw new UsageError(`${path} cannot be read (${error.code}).`)
}

/** The file as a blob that is read from disk while it is sent, and again on a retry. */
export const fileToSend = (path: string): Promise<Blob> =>
  path === '-' ? standardInput().then(text => new Blob([text])) : openAsBlob(path).catch(unreadable(path))

async function readJson(path: string): Promise<Values> {
  const text = path === '-' ? await standardInput() : await readFile(path, 'utf8').catch(unreadable(path))
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${path === '-' ? 'Standard input' : path} is not JSON: ${(error as Error).message}`)
  }
}

/** Puts `debtor.name` into the object `debtor`. */
function setField(body: Values, name: string, value: unknown): void {
  const [key = '', ...rest] = name.split('.')
  if (rest.length === 0) body[key] = value
  else {
    body[key] ??= {}
    setField(body[key] as Values, rest.join('.'), value)
  }
}

/** The JSON file, overridden by the flags. */
async function bodyOf(command: Command, values: Values): Promise<Values | undefined> {
  const { body: fields } = command
  if (fields === null || fields === 'file') return
  const path = values.jsonFile as string | undefined
  const given = fields.filter(({ name }) => values[name] !== undefined)
  const missing = fields.filter(({ name, isRequired }) => isRequired && values[name] === undefined)
  if (path === undefined && missing.length > 0 && (command.isBodyRequired || given.length > 0))
    throw new UsageError(
      `${wordsOf(command).join(' ')} needs ${missing.map(({ name }) => `--${kebab(name)}`).join(', ')}, or --json-file with the whole body.`,
    )
  if (path === undefined && given.length === 0 && !command.isBodyRequired) return
  const body = path === undefined ? {} : await readJson(path)
  for (const { name } of given) setField(body, name, values[name])
  return body
}

async function showList(list: List<object, unknown>, { values }: Line): Promise<void> {
  const show = tablePrinter()
  if (values.all) {
    let count = 0
    for await (const { data } of list.pages()) {
      count += data.length
      // One object per line: it needs no more memory than a page.
      if (values.json) for (const item of data) print(JSON.stringify(item))
      else show(data)
    }
    if (!values.json) note(`${count} in all`)
    return
  }
  const { data, pagination, nextCursor } = await list
  if (values.json) return print(JSON.stringify({ data, pagination, nextCursor }, null, 2))
  show(data)
  const { total, hasNext, totalIsExact } = pagination as {
    total?: number
    hasNext?: boolean
    totalIsExact?: false
  }
  if (data.length === 0) return note('none')
  if (hasNext || (total ?? 0) > data.length)
    note(
      `${data.length} of ${total === undefined ? 'more' : `${total}${totalIsExact === false ? ' or more' : ''}`}; --all shows them all`,
    )
}

async function saveFile(file: Blob, path: string | undefined): Promise<void> {
  const bytes = Buffer.from(await file.arrayBuffer())
  if (path && path !== '-') {
    await writeFile(path, bytes)
    return note(`${path}: ${bytes.length} bytes`)
  }
  process.stdout.write(bytes)
}

type Method = (...args: unknown[]) => unknown

/** An operation as a command: the words are the ids of its path, the flags its query and its body. */
export async function runOperation(relance: Relance, command: Command, line: Line): Promise<void> {
  const { values, words } = line
  const takes = [...command.params.map(({ name }) => name), ...(command.body === 'file' ? ['file'] : [])]
  const [noun, verb] = wordsOf(command)
  const usage = `relance ${[noun, verb, ...takes.map(name => `<${kebab(name)}>`)].join(' ')}`
  if (words.length !== takes.length)
    throw new UsageError(
      words.length < takes.length
        ? `${noun} ${verb} needs ${takes
            .slice(words.length)
            .map(name => `<${kebab(name)}>`)
            .join(' ')}: ${usage}`
        : `${noun} ${verb} does not take ${JSON.stringify(words[takes.length])}: ${usage}`,
    )
  for (const [i, { name, values: known }] of command.params.entries())
    if (known && !known.includes(words[i]))
      throw new UsageError(
        `<${kebab(name)}> is one of ${known.join(', ')}; it was ${JSON.stringify(words[i])}.`,
      )
  const missing = (command.query ?? []).filter(
    ({ name, isRequired }) => isRequired && values[name] === undefined,
  )
  if (missing.length > 0)
    throw new UsageError(`${noun} ${verb} needs ${missing.map(({ name }) => `--${kebab(name)}`).join(', ')}.`)
  if (command.answers === 'file' && !values.output && process.stdout.isTTY)
    throw new UsageError('The answer is a file; give --output with its name.')
  const query = command.query
    ? Object.fromEntries(
        command.query.flatMap(({ name }) => (values[name] === undefined ? [] : [[name, values[name]]])),
      )
    : null
  const body = command.body === 'file' ? await fileToSend(words.at(-1)!) : await bodyOf(command, values)
  const args = [
    ...words.slice(0, command.params.length),
    ...(command.body ? [body] : []),
    ...(query ? [query] : []),
    { idempotencyKey: values.idempotencyKey },
  ]
  const [resource = '', method = ''] = command.id.split('.')
  const owner = relance[resource as keyof Relance] as unknown as Record<string, Method>
  const answer = owner[method]!(...args)
  if (command.answers === 'list') return showList(answer as List<object, unknown>, line)
  if (command.answers === 'file')
    return saveFile(await (answer as Promise<Blob>), values.output as string | undefined)
  const { data, warnings, message, requestId } = await (answer as ApiPromise<unknown>).withResponse()
  for (const warning of warnings) note(`warning: ${warning.message} (${warning.code})`)
  if (message) note(message)
  if (values.json) return print(JSON.stringify(data ?? null, null, 2))
  print(data === undefined ? `done${requestId ? ` (request ${requestId})` : ''}` : recordText(data))
}
