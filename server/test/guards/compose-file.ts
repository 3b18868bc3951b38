import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

export interface ComposeService {
  image: string
  command?: string[]
  environment?: Record<string, string>
  secrets?: string[]
  volumes?: string[]
  ports?: string[]
  restart?: string
  stop_grace_period?: string
  healthcheck?: { disable?: boolean; test?: string[] }
  depends_on?: Record<string, { condition: string }>
}

export const compose = parse(readFileSync(join(import.meta.dirname, '../../../compose.yaml'), 'utf8'), {
  merge: true,
}) as {
  services: Record<string, ComposeService>
  secrets: Record<string, { file: string }>
}

/** The variables of a service, where nobody sets those of `${NAME:-default}`. */
export const variablesOf = ({ environment = {} }: ComposeService): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value.replace(/\$\{\w+:-([^}]*)\}/g, '$1')]),
  )
