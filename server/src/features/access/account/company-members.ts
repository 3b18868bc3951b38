import { queryOn } from '../../../kit/db/query.ts'
import { ApiError } from '../../../kit/errors.ts'
import { uuid } from '../../../kit/fields.ts'
import { field } from '../../../kit/http/form.ts'
import { performAsPerson } from '../people/act-as-person.ts'
import { changeRole, removeMember } from '../people/change-member.ts'
import type { Fault } from '../people/form-parts.ts'
import { setReceivesAlerts } from '../people/hear-alerts.ts'
import { inviteMember, withdrawInvitation } from '../people/invite-member.ts'
import { companyAction, fieldFaults } from './company.ts'
import { mayChangeMembers } from './company-facts.ts'

const isUuid = (text: string) => uuid.safeParse(text).success

const gone = [{ field: 'members', because: 'gone' }] as const
const memberFaults = ({ code }: ApiError): Fault[] | null =>
  code === 'RES_003' ? [{ field: 'members', because: 'last_owner' }] : code === 'RES_001' ? [...gone] : null

export const postInvite = companyAction({
  isFor: mayChangeMembers,
  needsFreshSignIn: true,
  async run(visit, membership) {
    const body = { email: field(visit.form, 'email').trim(), role: field(visit.form, 'role') }
    await performAsPerson(visit, membership, 'production', inviteMember, { body })
    return 'invited'
  },
  faults: error =>
    error.code === 'RES_003'
      ? [{ field: 'email', because: 'invitation_refused' }]
      : fieldFaults(error, { email: 'email_malformed' }),
  typed: ({ form }) => ({ email: field(form, 'email'), role: field(form, 'role') }),
})

export const postWithdrawInvitation = companyAction({
  isFor: mayChangeMembers,
  needsFreshSignIn: false,
  async run(visit, membership) {
    const params = { id: field(visit.form, 'invitation') }
    await performAsPerson(visit, membership, 'production', withdrawInvitation, { params })
    return 'invitation_withdrawn'
  },
  faults: ({ code }) => (code === 'RES_001' || code === 'RES_003' ? [...gone] : null),
})

export const postRole = companyAction({
  isFor: mayChangeMembers,
  needsFreshSignIn: true,
  async run(visit, membership) {
    const params = { personId: field(visit.form, 'person') }
    const body = { role: field(visit.form, 'role') }
    await performAsPerson(visit, membership, 'production', changeRole, { params, body })
    return 'role'
  },
  faults: memberFaults,
})

/** Members change this for themselves; an owner can change it for every member. */
export const postAlerts = companyAction({
  isFor: () => true,
  needsFreshSignIn: false,
  async run({ context, session, form }, { companyId, role }) {
    const personId = field(form, 'person')
    const hears = field(form, 'hears') === '1'
    const isOwn = personId === session.person.id
    if (!isOwn && !mayChangeMembers(role)) throw new ApiError('AUTH_004', 'Your role may not do this.')
    if (
      !isUuid(personId) ||
      !(await setReceivesAlerts(queryOn(context.pool), { personId, companyId, hears }))
    )
      throw new ApiError('RES_001', 'There is no such member.')
    return hears ? 'alerts_on' : 'alerts_off'
  },
  faults: memberFaults,
})

export const postRemoveMember = companyAction({
  isFor: mayChangeMembers,
  needsFreshSignIn: true,
  async run(visit, membership) {
    const params = { personId: field(visit.form, 'person') }
    await performAsPerson(visit, membership, 'production', removeMember, { params })
    return 'removed'
  },
  faults: memberFaults,
})
