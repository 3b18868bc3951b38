import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { Operation } from '../../src/kit/operation.ts'
import type { ApiResponse, TestInstallation } from '../harness/use-installation.ts'

export type Json = Record<string, unknown>

export async function postOk<Data>(
  installation: TestInstallation,
  key: string,
  path: string,
  body: unknown,
): Promise<Data> {
  for (let attempt = 1; ; attempt++) {
    const answer = (await installation.call('POST', path, { key, body })) as ApiResponse<Data>
    // Under parallel requests the API may answer "repeat the request in a few seconds"; this does so.
    if ((answer.status === 423 || answer.status === 503) && attempt < 5) {
      await new Promise(resolve => setTimeout(resolve, 1_000))
      continue
    }
    expect(answer.status, answer.text).toBe(201)
    return answer.body.data
  }
}

/** `ids` are those of the path that were made before: a delivery is one of its webhook. */
export type Maker = (
  installation: TestInstallation,
  key: string,
  operation: Operation,
  ids: Readonly<Record<string, string>>,
) => Promise<string>

export const randomHex = () => randomBytes(6).toString('hex')

export function exampleOf(operation: Operation): Json {
  if (!operation.example?.body) throw new Error(`${operation.id} takes a body and shows no example of one`)
  return operation.example.body as Json
}
