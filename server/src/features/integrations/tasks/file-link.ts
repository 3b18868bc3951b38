import { iso } from '../../../kit/clock.ts'
import type { Keyring } from '../../../kit/crypto.ts'
import { freshUntil, isRecentSignIn } from '../../../kit/fresh-sign-in.ts'
import type { Call } from '../../../kit/operation.ts'
import { fileKeptMs } from './files.ts'
import { works } from './kinds.ts'
import type { TaskRow } from './schema.ts'
import { isMaker } from './task-maker.ts'

/** The content of a file link: the tenant, the task that made the file, and when the link ends, in real time. */
interface LinkedFile {
  tenantId: string
  taskId: string
  endsAt: number
}

const purpose = 'task file link'
const idsBytes = 2 * 16
const factsBytes = idsBytes + 6

const bytesOfId = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')
const idOfBytes = (bytes: Buffer) =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

function writeToken(keyring: Keyring, { tenantId, taskId, endsAt }: LinkedFile): string {
  const end = Buffer.alloc(6)
  end.writeUIntBE(endsAt, 0, 6)
  const facts = Buffer.concat([bytesOfId(tenantId), bytesOfId(taskId), end]).toString('base64url')
  return `${facts}.${keyring.mac(purpose, facts)}`
}

/** Null for a token that is not ours, or that has ended. */
export function readToken(keyring: Keyring, token: string, wall: number): LinkedFile | null {
  const [facts = '', keyId = '', digest = '', ...rest] = token.split('.')
  if (rest.length > 0 || !keyring.knows(keyId) || !keyring.verifyMac(purpose, facts, `${keyId}.${digest}`))
    return null
  const bytes = Buffer.from(facts, 'base64url')
  if (bytes.length !== factsBytes) return null
  const endsAt = bytes.readUIntBE(idsBytes, 6)
  if (endsAt <= wall) return null
  return { tenantId: idOfBytes(bytes.subarray(0, 16)), taskId: idOfBytes(bytes.subarray(16, 32)), endsAt }
}

/** When the link to a task's file ends; null if there is no link, not yet or not any more. */
export function fileEndsAt({ kind, status, file_at: fileAt }: TaskRow, wall: number): number | null {
  if (status !== 'finished' || fileAt === null || !works[kind].fileOf) return null
  const endsAt = fileAt + fileKeptMs
  return endsAt > wall ? endsAt : null
}

export type LinkContext = Pick<
  Call<unknown, unknown, unknown>,
  'actor' | 'keyring' | 'publicUrl' | 'wall' | 'isToolCall'
>

/**
 * When the link that this caller gets ends; null if they get none. The link works for whoever has it, so only the maker gets it,
 * and a person only with a fresh sign-in and for as long as that is fresh.
 */
function linkEndsAt({ actor, wall, isToolCall }: LinkContext, task: TaskRow, endsAt: number): number | null {
  if (isToolCall || !isMaker(actor, task.actor)) return null
  if (actor.kind !== 'person' && actor.signedInAt === undefined) return endsAt
  const { signedInAt = 0 } = actor
  return isRecentSignIn(signedInAt, wall) ? Math.min(endsAt, freshUntil(signedInAt)) : null
}

/** The file of a task as answers show it. The same caller gets the same link until it ends. */
export function toFile(context: LinkContext, task: TaskRow) {
  const { actor, keyring, publicUrl, wall } = context
  const fileEnds = fileEndsAt(task, wall)
  if (fileEnds === null) return null
  const endsAt = linkEndsAt(context, task, fileEnds)
  const linked = endsAt !== null && { tenantId: actor.tenantId, taskId: task.id, endsAt }
  const url = linked ? `${publicUrl}/files/${writeToken(keyring, linked)}` : null
  return { url, expiresAt: iso(fileEnds), rows: works[task.kind].fileOf!(task).rows }
}
