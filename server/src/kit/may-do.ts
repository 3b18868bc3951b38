import type { Access, Actor, Role, Scope } from './actor.ts'
import { isRecentSignIn } from './fresh-sign-in.ts'

/** What `mayDo` needs to know of an actor. */
export type Asking = Pick<
  Actor,
  'kind' | 'onBehalfOf' | 'environment' | 'scopes' | 'role' | 'signedInAt' | 'conversationId'
>

type Refusal =
  | { readonly because: 'scopes'; readonly scopes: readonly Scope[] }
  | { readonly because: 'role'; readonly roles: readonly Role[] }
  | { readonly because: 'own_session' }
  | { readonly because: 'fresh_sign_in' }

type Verdict = { readonly allowed: true } | ({ readonly allowed: false } & Refusal)

/** Empty when the caller has all `scopes`, or all of one of `orScopes`. */
const missingScopes = ({ scopes, orScopes }: Access, granted: readonly Scope[]): Scope[] =>
  orScopes?.some(set => set.every(scope => granted.includes(scope)))
    ? []
    : scopes.filter(scope => !granted.includes(scope))

/**
 * Whether this actor may do this. Every door asks here and nowhere else: the API, the console, the pages, MCP, the assistant,
 * the link of a mail. `wall` is null where the age of the sign-in is not asked: for a list of what somebody may do, and for work
 * that was accepted before and runs later.
 */
export function mayDo(access: Access, actor: Asking, wall: number | null): Verdict {
  const refuse = (refusal: Refusal): Verdict => ({ allowed: false, ...refusal })
  const scopes = missingScopes(access, actor.scopes)
  if (scopes.length > 0) return refuse({ because: 'scopes', scopes })
  const rules = [access, ...(actor.environment === 'production' ? [access.inProduction ?? {}] : [])]
  const isForPerson = actor.kind === 'person' || actor.onBehalfOf !== undefined
  const isOwnSession = actor.kind === 'person' && actor.conversationId === undefined
  if (!isOwnSession && rules.some(({ ownSession }) => ownSession)) return refuse({ because: 'own_session' })
  for (const { roles } of rules)
    if (roles && (actor.role === undefined ? isForPerson : !roles.includes(actor.role)))
      return refuse({ because: 'role', roles })
  if (
    wall !== null &&
    isForPerson &&
    rules.some(({ fresh }) => fresh) &&
    !isRecentSignIn(actor.signedInAt ?? 0, wall)
  )
    return refuse({ because: 'fresh_sign_in' })
  return { allowed: true }
}

/** Whether it needs a fresh sign-in anywhere. */
export const needsFreshSignIn = ({ fresh, inProduction }: Access): boolean =>
  fresh === true || inProduction?.fresh === true
