import { expect, it } from 'vitest'
import { z } from 'zod'
import { waitingFields } from '../../src/features/access/companies/payout-fields.ts'
import { operations } from '../../src/features/all.ts'
import type { Operation } from '../../src/kit/operation.ts'
import { exampleOf } from './make-helpers.ts'

/**
 * Every text that a request may write, and what keeps it from showing debtors another way to pay:
 *   judged   an account or a link in it is refused
 *   payout   in production only an owner changes it, and it waits
 *   texts    judged when it is saved, with the text that stands around it
 *   unseen   no debtor is shown it
 * Written by hand: a new field fails until somebody says which it is.
 */
const fields = `
judged  company.update address postalCode city legalForm rcs mediator.name mediator.address
judged  debtors.create name address city postalCode
judged  debtors.update name address city postalCode
judged  invoices.create invoiceNumber description debtor.name debtor.address debtor.city debtor.postalCode
judged  invoices.dispute reason
judged  debtors.closeReply reason answer.text
judged  invoices.resolveDispute answer
payout  company.update legalName iban accountHolder telephone
payout  company.setLogo image
texts   templates.update subject opening
texts   workflow.communicate subject text
unseen  agent.chat message
unseen  apiKeys.create name ipWhitelist.*
unseen  claimLists.create acceptedBy
unseen  company.update siren
unseen  company.stopSending reason
unseen  company.resumeSending reason
unseen  debtors.create phone siret notes
unseen  debtors.update phone siret notes
unseen  debtors.create insolvency.court insolvency.practitioner insolvency.declarationProof
unseen  debtors.update insolvency.court insolvency.practitioner insolvency.declarationProof
unseen  debtors.addNote text
unseen  debtors.addPerson name ground phone
unseen  debtors.changePerson name ground phone
unseen  debtors.decideSituation note representative.phone
judged  debtors.decideSituation representative.name representative.address representative.city representative.postalCode
unseen  debtors.optOut reason
unseen  debtors.pause reason
unseen  debtors.reportSituation note
unseen  debtors.resume reason
unseen  debtors.recordDataRequest reason
unseen  debtors.decideDataRequest reason
unseen  debtors.wrongPerson reason
unseen  debtors.retryAddress reason
unseen  invoices.cancel reason
unseen  invoices.create debtor.phone debtor.siret
unseen  invoices.credit number
unseen  invoices.promise note
unseen  debtors.promise note
unseen  invoices.resolveDispute note creditNumber
unseen  invoices.update notes
unseen  invoices.waiveLatePayment reason
unseen  invoices.writeOff note
unseen  oauthClients.create name
unseen  oauthClients.update name
unseen  payments.create externalReference
unseen  payments.receive externalReference
unseen  payments.refund reason
unseen  payments.reverse failureReason
unseen  payments.settle failureReason
unseen  sandbox.simulateDispute reason
unseen  sandbox.simulateReply text subject from attachments.*.name attachments.*.type
unseen  tasks.bulk filter.search note reason
unseen  tasks.erase reason
unseen  tasks.export filter.search
unseen  tasks.map sheet
unseen  templates.preview id subject opening
unseen  webhooks.create description
unseen  webhooks.update description
unseen  workflow.preview cascade description invoiceNumber
unseen  workflow.preview debtor.name debtor.address debtor.city debtor.phone debtor.postalCode debtor.siret
unseen  workflow.recordFiling filingProof serviceProof
unseen  workflow.trigger reason
`
  .trim()
  .split('\n')
  .flatMap(line => {
    const [kind, id, ...paths] = line.split(/\s+/)
    return paths.map(path => ({ kind: kind!, id: id!, path }))
  })

interface Shape {
  readonly $ref?: string
  readonly $defs?: Record<string, Shape>
  readonly type?: string
  readonly enum?: unknown
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
  readonly properties?: Record<string, Shape>
}

/** The places of a body where any text may stand. */
function textsOf(operation: Operation): string[] {
  if (!operation.body) return []
  const root = z.toJSONSchema(operation.body, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  }) as Shape
  const visit = (shape: Shape, path: readonly string[]): string[] => {
    if (shape.$ref !== undefined) {
      const found = root.$defs?.[shape.$ref.replace('#/$defs/', '')]
      // A schema that names itself: metadata and the like.
      return found && path.length < 5 ? visit(found, path) : []
    }
    const isText = shape.type === 'string' && !shape.enum && !shape.const && !shape.format && !shape.pattern
    return [
      ...(isText ? [path.join('.')] : []),
      ...[...(shape.anyOf ?? []), ...(shape.oneOf ?? [])].flatMap(option => visit(option, path)),
      ...(shape.items ? visit(shape.items, [...path, '*']) : []),
      ...Object.entries(shape.properties ?? {}).flatMap(([name, inner]) => visit(inner, [...path, name])),
    ]
  }
  return [...new Set(visit(root, []))].map(path => `${operation.id} ${path}`)
}

it('says of every text that a request may write what keeps it harmless', () => {
  expect(fields.map(({ id, path }) => `${id} ${path}`).sort()).toEqual(operations.flatMap(textsOf).sort())
})

const withText = (
  body: unknown,
  [name, ...rest]: readonly string[],
  text: string,
): Record<string, unknown> => {
  const object = (body ?? {}) as Record<string, unknown>
  return { ...object, [name!]: rest.length > 0 ? withText(object[name!], rest, text) : text }
}

it.each(fields.filter(({ kind }) => kind === 'judged'))(
  '$id refuses an account and a link in $path',
  ({ id, path }) => {
    const operation = operations.find(one => one.id === id)!
    const mediator = { name: 'Exemple', address: '1 rue du Lac', website: 'www.mediation.example' }
    const example = id === 'company.update' ? { mediator } : exampleOf(operation)
    for (const text of ['RIB DE89370400440532013000', 'https://evil.example']) {
      const result = operation.body!.safeParse(withText(example, path.split('.'), text))
      const faults = new Set(result.error?.issues.map(issue => issue.path.join('.')))
      expect([text, ...faults]).toEqual([text, path])
    }
  },
)

it('a setting that could name another way to pay follows the rule of payouts', () => {
  const payout = fields.filter(({ kind, id }) => kind === 'payout' && id === 'company.update')
  expect(
    [...payout.map(({ path }) => path), 'replyEmail', 'paymentAccount', 'mediator', 'logo'].sort(),
  ).toEqual([...waitingFields].sort())
})
