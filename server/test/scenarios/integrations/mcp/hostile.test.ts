import { beforeAll, expect, it } from 'vitest'
import { operations } from '../../../../src/features/all.ts'
import { toolsOf } from '../../../../src/kit/http/tool.ts'
import type { Tool } from '../../../../src/kit/tool.ts'
import { type Digest, digestOf } from '../../../guards/digest.ts'
import { useInstallation } from '../../../harness/use-installation.ts'
import { headersOf, post } from './connect.ts'

const installation = useInstallation()

/** What leaves a segment of a path, ends a header, or reaches into an object, where it is not written out. */
const hostileValues = [
  '..',
  '.',
  '',
  '../../health',
  '%2e%2e/%2e%2e',
  '..%2f..%2fhealth',
  '?limit=100',
  '#',
  '\0',
  '\r\nx-api-key: stolen\r\n',
  'events',
  '//evil.example/x',
  'constructor',
  { toString: 'x' },
  ['..', '..'],
  1e21,
  true,
]

const tools = toolsOf(operations)
const propertiesOf = ({ inputSchema }: Tool) => Object.keys(inputSchema.properties as object)

const tenants = () => Object.values(installation.company.tenants)
let before: Digest

beforeAll(async () => {
  before = await digestOf(installation, tenants())
})

/** All they are given is a text for people, or to look for: none is wrong. */
const takesAnyText = (tool: Tool) => /^company_(stop|resume)Sending$|^search_find$/.test(tool.name)

it.each(tools.filter(tool => propertiesOf(tool).length > 0 && !takesAnyText(tool)))(
  '$name refuses in words what is no argument of it',
  async tool => {
    const key =
      installation.company[tool.operation.environment === 'sandbox' ? 'sandboxKey' : 'productionKey']
    for (const value of hostileValues) {
      const args = Object.fromEntries(propertiesOf(tool).map(name => [name, value]))
      const { status, json } = await post(
        installation,
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool.name, arguments: args } },
        headersOf({ key }),
      )
      const { isError, structuredContent: result } = json.result as unknown as {
        isError: boolean
        structuredContent: { error?: { code: string } }
      }
      expect([status, isError], JSON.stringify(value)).toEqual([200, true])
      // A cascade may be called anything that begins with a letter: there is none of that name.
      const isFair = tool.name.startsWith('cascades_') && result.error!.code === 'RES_001'
      if (!isFair) expect(result.error!.code, JSON.stringify(value)).toMatch(/^VAL_00|^FORBIDDEN_FIELD/)
    }
  },
)

it('and none of it changed a row', async () => {
  expect(await digestOf(installation, tenants())).toEqual(before)
})
