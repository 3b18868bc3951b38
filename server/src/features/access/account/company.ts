import type { FastifyReply } from 'fastify'
import { ApiError } from '../../../kit/errors.ts'
import { asApiError } from '../../../kit/http/envelope.ts'
import { field } from '../../../kit/http/form.ts'
import { seeOther, sendPage } from '../../../kit/http/pages.ts'
import { confirmPayoutChange, withdrawPayoutChange } from '../companies/payout-changes.ts'
import { payoutFields, type WaitingField, waitingFields } from '../companies/payout-fields.ts'
import { updateCompany } from '../companies/update-company.ts'
import { changeAsPerson, type Membership, performAsPerson } from '../people/act-as-person.ts'
import type { Fault, FaultCode } from '../people/form-parts.ts'
import { companyPath, signInAgainForCompany } from '../people/next-path.ts'
import { isFresh } from '../people/session.ts'
import { queryValue, type SignedInVisit } from '../people/visit.ts'
import type { Role } from '../roles.ts'
import { mayChangePayout, mayChangeSettings, readCompanyFacts, readMemberships } from './company-facts.ts'
import { companyPage, noCompanyPage } from './company-page.ts'
import { companyTexts } from './company-texts.ts'

interface Outcome {
  faults?: readonly Fault[]
  typed?: Readonly<Record<string, string>>
  newKey?: string
}

const notFound = () => new ApiError('RES_001', 'You belong to no such company.')

/** Shows the page of a company; with faults it answers 400. */
export async function sendCompanyPage(
  visit: SignedInVisit,
  companyId: string,
  { faults = [], typed = {}, newKey }: Outcome = {},
): Promise<FastifyReply> {
  const { context, view, session, reply } = visit
  const memberships = await readMemberships(context, session.person.id)
  const membership = companyId === '' ? memberships[0] : memberships.find(one => one.companyId === companyId)
  if (!membership && companyId !== '') throw notFound()
  if (!membership) return sendPage(reply, 200, noCompanyPage(view, 'none'))
  const texts = companyTexts[view.language]
  const code = queryValue(visit, 'done')
  try {
    const facts = await readCompanyFacts(visit, membership)
    const page = companyPage({
      view,
      session,
      texts,
      membership,
      others: memberships.filter(one => one !== membership),
      facts,
      isFresh: isFresh(context, session),
      typed,
      faults,
      done: faults.length === 0 && Object.hasOwn(texts.done, code) ? texts.done[code] : undefined,
      ...(newKey !== undefined && { newKey }),
    })
    return sendPage(reply, faults.length > 0 ? 400 : 200, page)
  } catch (error) {
    if (asApiError(error)?.code !== 'AUTH_006') throw error
    return sendPage(reply, 403, noCompanyPage(view, 'closed'))
  }
}

export const getCompanyPage = (visit: SignedInVisit): Promise<FastifyReply> =>
  sendCompanyPage(visit, queryValue(visit, 'company'))

/** What a form on the page of a company does. */
interface CompanyAction {
  /** The roles that may post it. */
  isFor: (role: Role) => boolean
  /** Whether it needs a recent sign-in. */
  needsFreshSignIn: boolean
  /** Performs the action. Returns the code of the message to show, or the page. */
  run: (visit: SignedInVisit, membership: Membership) => Promise<string | FastifyReply>
  /** Maps a refusal of the API to faults on the page. */
  faults: (error: ApiError) => Fault[] | null
  /** The fields to show again after a refusal, by the id of their control. */
  typed?: (visit: SignedInVisit) => Record<string, string>
}

/** A handler for a form on the page of a company. */
export const companyAction =
  ({ isFor, needsFreshSignIn, run, faults, typed }: CompanyAction) =>
  async (visit: SignedInVisit): Promise<FastifyReply> => {
    const { context, view, session, reply, form } = visit
    const companyId = field(form, 'company')
    const membership = (await readMemberships(context, session.person.id)).find(
      one => one.companyId === companyId,
    )
    if (!membership) throw notFound()
    if (!isFor(membership.role)) throw new ApiError('AUTH_004', 'Your role may not do this.')
    if (needsFreshSignIn && !isFresh(context, session))
      return seeOther(reply, view.to(signInAgainForCompany(companyId)))
    try {
      const done = await run(visit, membership)
      return typeof done === 'string'
        ? seeOther(reply, view.to(`${companyPath(companyId)}&done=${done}`))
        : done
    } catch (error) {
      if (error instanceof ApiError && error.extras.details?.[0]?.code === 'fresh_sign_in')
        return seeOther(reply, view.to(signInAgainForCompany(companyId)))
      const refused = error instanceof ApiError ? faults(error) : null
      if (!refused) throw error
      return sendCompanyPage(visit, companyId, { faults: refused, ...(typed && { typed: typed(visit) }) })
    }
  }

/** One fault for each field that the API refused. */
export const fieldFaults = (
  error: ApiError,
  codes: Readonly<Partial<Record<string, FaultCode>>>,
  fallback: FaultCode = 'value_refused',
): Fault[] | null =>
  error.status === 400 && error.extras.details
    ? error.extras.details.map(detail => ({ field: detail.field, because: codes[detail.field] ?? fallback }))
    : null

/** One line as typed, without the spaces of a copied text; null when it is empty. */
const textOrNull = ({ form }: SignedInVisit, name: string) => {
  const text = field(form, name).replaceAll(/\s+/g, ' ').trim()
  return text === '' ? null : text
}
const typedFields = (names: readonly string[]) => (visit: SignedInVisit) =>
  Object.fromEntries(names.map(name => [name, field(visit.form, name)]))

export const postPayout = companyAction({
  isFor: mayChangePayout,
  needsFreshSignIn: true,
  async run(visit, membership) {
    const sent = payoutFields.filter(name => visit.form.get(name)?.length === 1)
    const body = Object.fromEntries(sent.map(name => [name, textOrNull(visit, name)]))
    await performAsPerson(visit, membership, 'production', updateCompany, { body })
    return 'payout'
  },
  faults: error =>
    fieldFaults(error, {
      iban: 'iban_malformed',
      accountHolder: 'holder_long',
      replyEmail: 'email_malformed',
      paymentAccount: 'account_malformed',
    }),
  typed: typedFields(payoutFields),
})

const addressFields = ['address', 'postalCode', 'city', 'siren', 'legalForm', 'rcs'] as const
const mediatorFields = ['mediator.name', 'mediator.address', 'mediator.website'] as const

/** Null if all its fields are empty. */
function typedMediator(visit: SignedInVisit) {
  const [name, address, website] = mediatorFields.map(field => textOrNull(visit, field))
  return name || address || website ? { name: name ?? '', address, website: website ?? '' } : null
}

export const postAddress = companyAction({
  isFor: mayChangeSettings,
  needsFreshSignIn: false,
  async run(visit, membership) {
    const names = addressFields.filter(name => visit.form.get(name)?.length === 1)
    const body = Object.fromEntries(names.map(name => [name, textOrNull(visit, name)]))
    const hasMediator = visit.form.get('mediator.name')?.length === 1
    await performAsPerson(visit, membership, 'production', updateCompany, {
      body: { ...body, ...(hasMediator && { mediator: typedMediator(visit) }) },
    })
    return 'address'
  },
  faults: error =>
    fieldFaults(
      error,
      error.extras.details?.[0]?.code === 'capital_missing' ? { legalForm: 'capital_missing' } : {},
    ),
  typed: typedFields([...addressFields, ...mediatorFields]),
})

const isWaitingField = (name: string): name is WaitingField =>
  (waitingFields as readonly string[]).includes(name)

function postedField({ form }: SignedInVisit): WaitingField {
  const name = field(form, 'field')
  if (!isWaitingField(name)) throw new ApiError('VAL_001', 'There is no such field.')
  return name
}

export const postConfirmPayout = companyAction({
  isFor: mayChangePayout,
  needsFreshSignIn: true,
  async run(visit, membership) {
    const name = postedField(visit)
    await changeAsPerson(visit, membership, 'production', call => confirmPayoutChange(call, name))
    return 'confirmed'
  },
  faults({ code, extras }) {
    if (code === 'RES_001') return [{ field: 'payout', because: 'gone' }]
    const because = (['own_change', 'new_owner'] as const).find(one => one === extras.details?.[0]?.code)
    return because ? [{ field: 'payout', because }] : null
  },
})

export const postWithdrawPayout = companyAction({
  isFor: mayChangePayout,
  needsFreshSignIn: false,
  async run(visit, membership) {
    const name = postedField(visit)
    await changeAsPerson(visit, membership, 'production', call => withdrawPayoutChange(call, name))
    return 'withdrawn'
  },
  faults: ({ code }) => (code === 'RES_001' ? [{ field: 'payout', because: 'gone' }] : null),
})
