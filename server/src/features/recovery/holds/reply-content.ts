import type { ReplyContent } from '../../../adapters/callback.ts'
import type { Keyring } from '../../../kit/crypto.ts'
import { withoutCodes } from '../messages/compose/message-code.ts'

interface ReplyRef {
  tenantId: string
  replyId: string
}

/** Bound to its row: sealed text that was moved to another reply or another tenant does not open. */
const sealPurpose = ({ tenantId, replyId }: ReplyRef) => `reply ${tenantId} ${replyId}`

/** The message that was answered is often quoted, with its link. */
export const storedForm = (content: ReplyContent): string => withoutCodes(JSON.stringify(content))

export const sealContent = (keyring: Keyring, ref: ReplyRef, stored: string): string =>
  keyring.seal(sealPurpose(ref), stored)

export const openStored = (keyring: Keyring, ref: ReplyRef, sealed: string): string =>
  keyring.open(sealPurpose(ref), sealed)

export const openContent = (keyring: Keyring, ref: ReplyRef, sealed: string): ReplyContent =>
  JSON.parse(openStored(keyring, ref, sealed)) as ReplyContent
