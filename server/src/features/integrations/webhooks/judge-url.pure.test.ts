import { afterAll, expect, it } from 'vitest'
import { egress } from '../../../kit/egress/egress.ts'
import { judgeUrl } from './judge-url.ts'

/** The host names these tests can resolve. */
const names: Record<string, string[]> = {
  'hooks.example.com': ['93.184.215.14'],
  'inside.example.com': ['10.0.0.7'],
  'both.example.com': ['93.184.215.14', '127.0.0.1'],
}
const external = egress({
  profile: 'tenant',
  resolve: async name => {
    const addresses = names[name]
    if (!addresses) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    return addresses.map(address => ({ address, family: 4 }))
  },
})
afterAll(() => external.close())

it.each([
  'https://hooks.example.com/relance?tenant=7',
  'https://hooks.example.com:8443/relance',
  'https://93.184.215.14/relance',
])('%s is accepted without a warning', async url => {
  expect(await judgeUrl(external, url)).toEqual([])
})

it.each([
  ['hooks.example.com/relance', 'malformed_url', 'write it as https://'],
  ['http://hooks.example.com/relance', 'not_https', 'must begin with https://'],
  ['ftp://hooks.example.com/relance', 'not_https', 'must begin with https://'],
  ['https://me:secret@hooks.example.com/', 'userinfo', 'verify the signature'],
  ['https://hooks.example.com:444/', 'forbidden_port', '443 or one from 1024 up'],
  ['https://localhost/', 'local_name', 'the whole internet knows'],
  ['https://intranet/', 'local_name', 'the whole internet knows'],
  ['https://printer.local/', 'local_name', 'the whole internet knows'],
  ['https://127.0.0.1/', 'non_public_address', 'use a public host'],
  ['https://169.254.169.254/latest', 'non_public_address', 'use a public host'],
  ['https://[::1]/', 'non_public_address', 'use a public host'],
  ['https://inside.example.com/', 'non_public_address', 'use a public host'],
  ['https://both.example.com/', 'non_public_address', 'use a public host'],
])('%s is WH_002, %s: %s', async (url, because, words) => {
  await expect(judgeUrl(external, url)).rejects.toMatchObject({
    code: 'WH_002',
    message: expect.stringContaining(words),
    extras: { details: [{ field: 'url', code: because, message: expect.stringContaining(words) }] },
  })
})

it('a name without an address is accepted with the warning url_not_resolving', async () => {
  expect(await judgeUrl(external, 'https://tomorrow.example.com/')).toMatchObject([
    { code: 'url_not_resolving', message: expect.stringContaining('deliveries to it fail') },
  ])
})
