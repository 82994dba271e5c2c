import { type McpExchange, McpPrincipalSource } from '@dacapo/mcp';
import { Injectable, UnauthorizedException } from '@nestjs/common';
import { LocalUser } from './local-user.js';
import { TokenService } from './token.service.js';

const BEARER = /^Bearer +([^\s]+)$/i;

/**
 * Knows callers by the signed token of their `Authorization` header. Without the header a caller is
 * nobody; with a header that does not hold, the call is refused rather than taken for nobody's. Over
 * stdio there are no headers, and one caller: the local user.
 */
@Injectable()
export class TokenPrincipalSource extends McpPrincipalSource {
  constructor(
    private readonly tokens: TokenService,
    private readonly localUser: LocalUser,
  ) {
    super();
  }

  override async currentPrincipal({ transport, headers }: McpExchange): Promise<string | null> {
    if (transport === 'stdio') return this.localUser.name;
    const { authorization } = headers;
    if (authorization === undefined) return null;
    const token = typeof authorization === 'string' ? BEARER.exec(authorization)?.[1] : undefined;
    if (token === undefined) {
      throw new UnauthorizedException(
        'The Authorization header is not "Bearer <token>". Send a bearer token, or no header.',
      );
    }
    return this.tokens.verify(token);
  }
}
