import { z } from 'zod'
import { type AuditEventType, defineAuditEvent } from '../../../kit/events.ts'
import { outputUuid } from '../../../kit/fields.ts'
import { roles } from '../roles.ts'

const role = z.enum(roles)

/** Ids and roles only; names are in the list of members. */
export const memberInvited = defineAuditEvent({
  type: 'member.invited',
  schemaVersion: 1,
  summary: 'Somebody was invited to the company',
  data: z.object({ invitationId: outputUuid, role }),
})

export const invitationWithdrawn = defineAuditEvent({
  type: 'member.invitation_withdrawn',
  schemaVersion: 1,
  summary:
    'An invitation was withdrawn, or a newer one to the same address took its place: its link works no more',
  data: z.object({ invitationId: outputUuid, role, because: z.enum(['withdrawn', 'replaced']) }),
})

export const memberRoleChanged = defineAuditEvent({
  type: 'member.role_changed',
  schemaVersion: 1,
  summary: 'A member got another role, which holds at once for everything that acts for them',
  data: z.object({ personId: outputUuid, role, before: role }),
})

export const memberRemoved = defineAuditEvent({
  type: 'member.removed',
  schemaVersion: 1,
  summary: 'A member was removed; nothing acts for them in this company any more',
  data: z.object({ personId: outputUuid, role }),
})

export const memberAuditEvents: readonly AuditEventType[] = [
  memberInvited,
  invitationWithdrawn,
  memberRoleChanged,
  memberRemoved,
]
