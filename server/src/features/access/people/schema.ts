import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { actorKinds } from '../../../kit/events.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { type Role, roles } from '../roles.ts'

export const roleField = z.enum(roles)

export const Member = z
  .object({
    personId: outputUuid,
    name: z.string(),
    email: z.string(),
    role: roleField,
    joinedAt: dateTime,
  })
  .meta({ id: 'Member' })

export const Invitation = z
  .object({
    id: outputUuid,
    email: z.string(),
    role: roleField,
    language: z.enum(['fr', 'en']),
    createdAt: dateTime,
    expiresAt: dateTime,
  })
  .meta({ id: 'Invitation' })

export interface MemberRow {
  person_id: string
  name: string
  email: string
  role: Role
  created_at: number
  /** Whether they receive alert mails. */
  receives_alerts: boolean
}

export interface InvitationRow {
  id: string
  email: string
  role: Role
  language: 'fr' | 'en'
  created_at: number
  expires_at: number
}

export const toMember = (row: MemberRow): z.input<typeof Member> => ({
  personId: row.person_id,
  name: row.name,
  email: row.email,
  role: row.role,
  joinedAt: iso(row.created_at),
})

export const toInvitation = (row: InvitationRow): z.input<typeof Invitation> => ({
  id: row.id,
  email: row.email,
  role: row.role,
  language: row.language,
  createdAt: iso(row.created_at),
  expiresAt: iso(row.expires_at),
})

/** The actor of a change, as it is shown: never with an email address. */
export const ShownActor = z
  .object({
    kind: z.enum(actorKinds),
    name: z.string().nullable().meta({
      description:
        'Of the key, the application or the member; null for a debtor, a provider and Relance itself, and for whoever is no member any more',
    }),
    onBehalfOf: z.string().nullable().meta({ description: 'The name of the person an application acts for' }),
  })
  .meta({ id: 'Actor' })

export type ShownActor = z.input<typeof ShownActor>
