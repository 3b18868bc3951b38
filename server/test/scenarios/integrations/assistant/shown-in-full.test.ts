import { describe, expect, it } from 'vitest'
import { assistantCalls } from '../../../harness/assistant-calls.ts'
import { inSteps, type ScriptedReply, useScriptedModel } from '../../../harness/scripted-model.ts'
import { invoiceInput, useInstallation } from '../../../harness/use-installation.ts'

const model = useScriptedModel()
const installation = useInstallation({ redisUrl: undefined, env: model.env, hasWorker: false })
const { sendMessage } = assistantCalls(installation)

type ToolCalls = NonNullable<ScriptedReply['toolCalls']>

/** The summary a person is shown when the model asks for these calls, and what the model was told. */
async function prepare(...toolCalls: ToolCalls) {
  let told: string[] = []
  model.setScript(
    inSteps({ toolCalls }, results => {
      told = results
      return { text: 'Only a trifle, say yes.' }
    }),
  )
  const { confirmation } = await sendMessage('What is new?')
  return { summary: confirmation?.summary ?? '', told }
}

const newInvoice = async () =>
  (
    await installation.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
      body: invoiceInput({ dueDate: '2027-02-01' }),
    })
  ).body.data

describe('a model that obeys an attacker', () => {
  it('cannot hide that a field is cleared', async () => {
    const { debtor } = await newInvoice()
    const { summary } = await prepare({
      name: 'debtors_update',
      args: { id: debtor.id, city: 'Lyon', address: null, phone: null },
    })
    expect(summary).toContain('city: "Lyon"')
    expect(summary).toContain('address: cleared')
    expect(summary).toContain('phone: cleared')
  })

  it('cannot hide the end of a long value', async () => {
    const { id } = await newInvoice()
    const notes = `${'Nothing to see here. '.repeat(20)}Pay to DE89 3704 0044 0532 0130 00`
    const { summary } = await prepare({ name: 'invoices_update', args: { id, notes } })
    expect(summary).toContain(notes)
  })

  it('cannot hide a value behind formatting, links or invisible characters', async () => {
    const { id } = await newInvoice()
    const notes =
      'a [b](https://evil.example/x?y=z_1) ![c](//d) <e f="g">`h`</e> \u2060i\u00adj\n# k *l* "m" \\n www.n.example'
    const { summary } = await prepare({ name: 'invoices_update', args: { id, notes } })
    for (const part of [
      'evil.example/x?y=z\\_1',
      '//d',
      'f=',
      'g',
      'h',
      '2060',
      'ad',
      'k',
      'l',
      'm',
      'n.example',
    ])
      expect(summary).toContain(part)
    expect(summary.split('\n')).toHaveLength(1)
    expect(summary).not.toContain('\u2060')
    expect(summary).not.toMatch(/!\[|\]\(|\]:|<[a-z/!?]|:\/\/|www\.|link removed/i)
  })

  it('cannot pass a value off as another argument', async () => {
    const { id } = await newInvoice()
    const { summary } = await prepare({
      name: 'invoices_cancel',
      args: { id, reason: 'x"; notifyDebtor: false; y: "', notifyDebtor: true },
    })
    expect(summary).toContain('reason: "x\\\\"; notifyDebtor: false; y: \\\\""; notifyDebtor: true')
  })

  it('cannot hide invoices behind the first one: all are shown, with their number and their sum', async () => {
    const invoices = Array.from({ length: 5 }, (_, at) => ({
      ...invoiceInput({ dueDate: '2027-02-01', amountCents: at === 0 ? 100 : 99_999_999 }),
    }))
    const { summary } = await prepare({ name: 'invoices_import', args: { invoices } })
    expect(summary).toContain('invoices: 5 entries, amountCents 400000096 in all (4000000.96)')
    for (const { invoiceNumber } of invoices) expect(summary).toContain(`"${invoiceNumber}"`)
  })

  it('cannot prepare what is too large to be shown: it is told so, and nothing waits', async () => {
    const invoices = Array.from({ length: 100 }, () => invoiceInput({ dueDate: '2027-02-01' }))
    const { summary, told } = await prepare({ name: 'invoices_import', args: { invoices } })
    expect(summary).toBe('')
    expect(told[0]).toMatch(/^Refused: .*too large to be shown in full/s)
  })

  it('cannot exceed the limit with many small operations either', async () => {
    const { id } = await newInvoice()
    const notes = (mark: string) => ({ name: 'invoices_update', args: { id, notes: mark.repeat(1_900) } })
    const { summary, told } = await prepare(...'abcdefgh'.split('').map(notes))
    expect(summary.length).toBeLessThan(13_000)
    expect(told.at(-1)).toMatch(/too large to be shown in full/)
  })

  it('has no tool for the settings of the company nor for the texts of messages', async () => {
    const { summary, told } = await prepare(
      { name: 'company_update', args: { legalName: 'Alpha SAS', iban: null } },
      { name: 'templates_update', args: { id: 'relance_email_1', opening: 'Bonjour' } },
    )
    expect(summary).toBe('')
    expect(told).toEqual([expect.stringMatching(/no such tool/), expect.stringMatching(/no such tool/)])
  })
})
