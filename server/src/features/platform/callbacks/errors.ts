import { defineError } from '../../../kit/errors.ts'

export const callbackForged = defineError(
  'WH_003',
  (provider: string) =>
    `This callback is not signed by ${provider}. Check the secret that both sides were given, and that the address is exactly the one registered there.`,
)
