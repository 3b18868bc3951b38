import { userInfo } from 'node:os'
import { expect, it } from 'vitest'
import { accountName } from './company-commands.ts'

it('an operator without a name is known by the number of the account', () => {
  expect(accountName()).toBe(userInfo().username)
  const nameless = () => {
    throw new Error('uv_os_get_passwd returned ENOENT')
  }
  expect(accountName(nameless)).toBe(`uid ${process.getuid!()}`)
})
