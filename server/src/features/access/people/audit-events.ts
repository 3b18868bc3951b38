import { z } from 'zod'
import { type AuditEventType, defineAuditEvent } from '../../../kit/events.ts'
import { outputUuid } from '../../../kit/fields.ts'
import { roles } from '../roles.ts'

const about = { personId: outputUuid }

export const signedUp = defineAuditEvent({
  type: 'person.signed_up',
  schemaVersion: 1,
  summary: 'Somebody signed up with this company',
  data: z.object(about),
})

export const signedIn = defineAuditEvent({
  type: 'person.signed_in',
  schemaVersion: 1,
  summary: 'A member signed in',
  data: z.object({ ...about, method: z.enum(['password', 'passkey', 'link']) }),
})

export const signInLocked = defineAuditEvent({
  type: 'person.sign_in_locked',
  schemaVersion: 1,
  summary: 'Sign-in by password closed for a while: too many wrong passwords for this member',
  data: z.object(about),
})

export const passwordChanged = defineAuditEvent({
  type: 'person.password_changed',
  schemaVersion: 1,
  summary: 'A member chose a new password, signed in or by a link in a mail',
  data: z.object({
    ...about,
    by: z.enum(['session', 'link']),
    endedConsents: z.int().optional().meta({ description: 'Applications that may act for them no more' }),
  }),
})

export const passkeyAdded = defineAuditEvent({
  type: 'person.passkey_added',
  schemaVersion: 1,
  summary: 'A member added a passkey',
  data: z.object(about),
})

export const passkeyRemoved = defineAuditEvent({
  type: 'person.passkey_removed',
  schemaVersion: 1,
  summary: 'A member removed a passkey',
  data: z.object(about),
})

export const sessionEnded = defineAuditEvent({
  type: 'person.session_ended',
  schemaVersion: 1,
  summary: 'A member ended one of their sessions',
  data: z.object(about),
})

export const signedOutEverywhere = defineAuditEvent({
  type: 'person.signed_out_everywhere',
  schemaVersion: 1,
  summary: 'A member ended all their sessions',
  data: z.object({ ...about, sessions: z.int() }),
})

export const accessWithdrawn = defineAuditEvent({
  type: 'person.access_withdrawn',
  schemaVersion: 1,
  summary: 'A member withdrew the access of an application that acted for them',
  data: z.object({ ...about, grantId: outputUuid, clientId: z.string() }),
})

export const memberJoined = defineAuditEvent({
  type: 'member.joined',
  schemaVersion: 1,
  summary: 'Somebody who was invited joined the company',
  data: z.object({ ...about, invitationId: outputUuid, role: z.enum(roles) }),
})

export const peopleAuditEvents: readonly AuditEventType[] = [
  signedUp,
  signedIn,
  signInLocked,
  passwordChanged,
  passkeyAdded,
  passkeyRemoved,
  sessionEnded,
  signedOutEverywhere,
  accessWithdrawn,
  memberJoined,
]

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
