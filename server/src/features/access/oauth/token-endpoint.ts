import { inTransaction } from '../../../kit/db/query.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import type { AuditedRequest } from '../../platform/events/record-company-audit.ts'
import { lifetimeSeconds, signAccessToken } from './access-token.ts'
import { authenticateClient, chooseScopes, type GrantType, grantTypes, requireGrantType } from './client.ts'
import { redeemCode, refreshGrant, type TokenResponse } from './grants.ts'
import { OAuthError } from './oauth-error.ts'
import { type Parameters, required, scopeList } from './parameters.ts'
import { withKeys } from './signing-keys.ts'

const isVerifier = (text: string) => /^[A-Za-z0-9._~-]{43,128}$/.test(text)

function grantTypeOf(parameters: Parameters): GrantType {
  const requested = required(parameters, 'grant_type')
  const known = grantTypes.find(type => type === requested)
  if (!known)
    throw new OAuthError('unsupported_grant_type', `grant_type must be one of ${grantTypes.join(', ')}.`)
  return known
}

/** Handles the three grant types, each in one transaction that is committed before the answer. */
export async function issueToken(
  context: PageContext,
  request: AuditedRequest,
  parameters: Parameters,
): Promise<TokenResponse> {
  const type = grantTypeOf(parameters)
  const issue = () =>
    inTransaction<TokenResponse | OAuthError>(context.pool, async query => {
      const needsSecret = type !== 'refresh_token'
      const client = await authenticateClient(query, request.headers.authorization, parameters, {
        needsSecret,
      })
      requireGrantType(client, type)
      switch (type) {
        case 'client_credentials': {
          const scopes = chooseScopes(scopeList(parameters.get('scope')), client.scopes)
          const access = await signAccessToken(context, query, {
            clientId: client.id,
            personId: null,
            grantId: null,
            environment: client.environment,
            scopes,
          })
          return {
            access_token: access,
            token_type: 'Bearer' as const,
            expires_in: lifetimeSeconds,
            scope: scopes.join(' '),
          }
        }
        case 'authorization_code': {
          const verifier = required(parameters, 'code_verifier')
          if (!isVerifier(verifier))
            throw new OAuthError('invalid_request', 'code_verifier must be 43 to 128 unreserved characters.')
          return redeemCode(context, query, client, {
            code: required(parameters, 'code'),
            redirectUri: required(parameters, 'redirect_uri'),
            verifier,
            request,
          })
        }
        case 'refresh_token':
          return refreshGrant(context, query, client, {
            token: required(parameters, 'refresh_token'),
            scopes: scopeList(parameters.get('scope')),
            request,
          })
      }
    })
  const outcome = await withKeys(context, issue)
  if (outcome instanceof OAuthError) throw outcome
  return outcome
}
