import { z } from 'zod'
import { type ActType, defineAct } from '../../../kit/events.ts'
import { outputUuid } from '../../../kit/fields.ts'
import { roles } from '../roles.ts'

const about = { personId: outputUuid }

export const signedUp = defineAct({
  type: 'person.signed_up',
  schemaVersion: 1,
  summary: 'Somebody signed up with this company',
  data: z.object(about),
})

export const signedIn = defineAct({
  type: 'person.signed_in',
  schemaVersion: 1,
  summary: 'A member signed in',
  data: z.object({ ...about, method: z.enum(['password', 'passkey', 'link']) }),
})

export const signInLocked = defineAct({
  type: 'person.sign_in_locked',
  schemaVersion: 1,
  summary: 'Sign-in by password closed for a while: too many wrong passwords for this member',
  data: z.object(about),
})

export const passwordChanged = defineAct({
  type: 'person.password_changed',
  schemaVersion: 1,
  summary: 'A member chose a new password, signed in or by a link in a mail',
  data: z.object({ ...about, by: z.enum(['session', 'link']) }),
})

export const passkeyAdded = defineAct({
  type: 'person.passkey_added',
  schemaVersion: 1,
  summary: 'A member added a passkey',
  data: z.object(about),
})

export const passkeyRemoved = defineAct({
  type: 'person.passkey_removed',
  schemaVersion: 1,
  summary: 'A member removed a passkey',
  data: z.object(about),
})

export const sessionEnded = defineAct({
  type: 'person.session_ended',
  schemaVersion: 1,
  summary: 'A member ended one of their sessions',
  data: z.object(about),
})

export const signedOutEverywhere = defineAct({
  type: 'person.signed_out_everywhere',
  schemaVersion: 1,
  summary: 'A member ended all their sessions',
  data: z.object({ ...about, sessions: z.int() }),
})

export const accessWithdrawn = defineAct({
  type: 'person.access_withdrawn',
  schemaVersion: 1,
  summary: 'A member withdrew the access of an application that acted for them',
  data: z.object({ ...about, grantId: outputUuid, clientId: z.string() }),
})

export const memberJoined = defineAct({
  type: 'member.joined',
  schemaVersion: 1,
  summary: 'Somebody who was invited joined the company',
  data: z.object({ ...about, invitationId: outputUuid, role: z.enum(roles) }),
})

export const peopleActs: readonly ActType[] = [
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
