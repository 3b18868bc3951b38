import { afterAll, describe, expect, it } from 'vitest'
import { startStripe } from '../../../dev/stand-ins/stripe.ts'
import { switchCompany } from '../../harness/operator.ts'
import { peopleCalls, type SignedUpPerson, withProxy } from '../../harness/people-calls.ts'
import { stripeEnv, stripeKeys } from '../../harness/use-debtors.ts'
import { useInstallation } from '../../harness/use-installation.ts'
import { formsIn, visibleText } from '../../harness/visitor.ts'

const stripe = await startStripe(stripeKeys)
afterAll(() => stripe.stop())
const installation = useInstallation({ env: { ...withProxy.env, ...stripeEnv(stripe) } })
const people = peopleCalls(installation)
const path = '/account/card-payments'

/** The page of the owner's one company. */
const page = ({ visitor }: SignedUpPerson) => visitor.get(path)
const press = async (owner: SignedUpPerson) => owner.visitor.submit(await page(owner), path)
/** Follows the link to Stripe, answers its questions, and returns to where Stripe leads. */
async function onboard(url: string): Promise<string> {
  const answer = await fetch(url, { method: 'POST', redirect: 'manual' })
  return answer.headers.get('location')!
}
const accountsOf = ({ companyId }: SignedUpPerson) =>
  installation.sql<{ account: string; source: string; payment_account: string | null }>(
    `select a.account, a.source, s.payment_account from tenants t join card_accounts a on a.tenant_id = t.id
       left join company_settings s on s.tenant_id = t.id where t.company_id = $1`,
    [companyId],
  )

describe('card payments', () => {
  it('are set up by an owner: Stripe opens an account for the company, asks its questions, and the owner says yes', async () => {
    const owner = await people.newOwner()
    expect((await owner.visitor.get('/account')).html).toContain(`href="${path}"`)
    expect(visibleText((await page(owner)).html)).toContain('No account has been opened yet.')
    const { status, location } = await press(owner)
    expect(status).toBe(303)
    expect(location).toContain(`${stripe.baseUrl}/setup/`)
    const [kept] = await accountsOf(owner)
    const opened = stripe.accounts().find(({ id }) => id === kept!.account)
    expect(opened).toMatchObject({ country: 'FR', email: owner.email, isComplete: false })
    expect(kept).toMatchObject({ source: 'onboarding', payment_account: null })
    expect(visibleText((await page(owner)).html)).toContain('still needs some information')

    const back = await onboard(location!)
    expect(back).toBe(`${installation.server.baseUrl}${path}?company=${owner.companyId}`)
    const ready = await owner.visitor.get(back.slice(installation.server.baseUrl.length))
    expect(visibleText(ready.html)).toContain('The account is ready.')
    expect((await accountsOf(owner))[0]!.payment_account).toBeNull()
    await press(owner)
    expect((await accountsOf(owner))[0]!.payment_account).toBe(kept!.account)
    expect(visibleText((await page(owner)).html)).toContain('Debtors can pay by card.')
    expect((await people.auditEvents(owner.companyId)).at(-1)).toMatchObject({
      type: 'company.payout_applied',
      data: { field: 'paymentAccount', to: `acct_…${kept!.account.slice(-4)}`, because: 'first_value' },
    })
  })

  it('wait like any other change where debtors know an account already', async () => {
    const owner = await people.newOwner()
    const company = `/account/company?company=${owner.companyId}`
    const iban = 'FR14 2004 1010 0505 0001 3M02 606'
    await owner.visitor.submit(await owner.visitor.get(company), '/account/company/payout', { iban })
    await onboard((await press(owner)).location!)
    const { location } = await press(owner)
    expect((await accountsOf(owner))[0]!.payment_account).toBeNull()
    expect(location).toContain(company)
    const [opened] = await accountsOf(owner)
    expect(visibleText((await owner.visitor.get(location!)).html)).toContain(opened!.account)
  })

  it('opened twice, or after a lost answer, have one account', async () => {
    const owner = await people.newOwner()
    stripe.fail('500')
    const failed = await press(owner)
    expect([failed.status, visibleText(failed.html)]).toEqual([
      503,
      expect.stringContaining('nothing has changed'),
    ])
    const before = stripe.accounts().length
    const first = await press(owner)
    const again = await press(owner)
    expect(again.location).not.toBe(first.location)
    expect(stripe.accounts()).toHaveLength(before + 1)
    expect(await accountsOf(owner)).toHaveLength(1)
  })

  it('are nobody else’s to set up: not of another company, not of a member, not ten minutes after signing in', async () => {
    const [owner, stranger] = [await people.newOwner(), await people.newOwner()]
    const form = formsIn((await page(stranger)).html).find(({ action }) => action === path)!
    const foreign = await stranger.visitor.post(path, { ...form.fields, company: owner.companyId })
    expect([foreign.status, foreign.location]).toEqual([303, path])
    await installation.sql(`update memberships set role = 'manager' where person_id = $1`, [
      stranger.personId,
    ])
    const member = await stranger.visitor.post(path, form.fields)
    expect([member.status, member.location]).toEqual([303, path])
    const open = await page(owner)
    await installation.sql(
      `update sessions set created_at = created_at - interval '11 minutes' where person_id = $1`,
      [owner.personId],
    )
    const stale = await owner.visitor.submit(open, path)
    expect(stale.location).toMatch(/^\/sign-in\?again=1&next=/)
    expect(formsIn((await page(owner)).html).filter(({ action }) => action === path)).toEqual([])
    expect([await accountsOf(owner), await accountsOf(stranger)]).toEqual([[], []])
  })

  it('of a company that the operator has closed are not set up, and the page says why', async () => {
    const owner = await people.newOwner()
    const open = await page(owner)
    await switchCompany(installation, owner.companyId, false)
    expect(visibleText((await page(owner)).html)).toContain('This company is switched off.')
    const posted = await owner.visitor.submit(open, path)
    expect([posted.status, posted.location]).toEqual([303, `${path}?company=${owner.companyId}`])
    expect(await accountsOf(owner)).toEqual([])
  })

  it('are shown of the company that was chosen, and of no other', async () => {
    const [owner, other] = [await people.newOwner(), await people.newOwner()]
    await installation.sql(
      `insert into memberships (person_id, company_id, role, created_at) values ($1, $2, 'owner', now())`,
      [owner.personId, other.companyId],
    )
    await press(other)
    expect(visibleText((await page(owner)).html)).not.toContain('account has been opened')
    const shown = async (companyId: string) =>
      visibleText((await owner.visitor.get(`${path}?company=${companyId}`)).html)
    expect(await shown(owner.companyId)).toContain('No account has been opened yet.')
    expect(await shown(other.companyId)).toContain('still needs some information')
  })

  it('cannot be switched on before Stripe says that the account may take cards', async () => {
    const owner = await people.newOwner()
    await press(owner)
    const { fields } = formsIn((await page(owner)).html).find(({ action }) => action === path)!
    await owner.visitor.post(path, { ...fields, do: 'use' })
    expect((await accountsOf(owner))[0]!.payment_account).toBeNull()
  })

  it('never use an account that was not opened for the company, whatever its settings say', async () => {
    const [owner, stranger] = [await people.newOwner(), await people.newOwner()]
    await press(owner)
    const [{ account } = { account: '' }] = await accountsOf(owner)
    const insert = installation.sql(
      `insert into card_accounts (tenant_id, account, source, created_at)
       select id, $2, 'operator', now() from tenants where company_id = $1 and environment = 'production'`,
      [stranger.companyId, account],
    )
    await expect(insert).rejects.toThrow(/card_accounts_account_key/)
  })
})
