import type { McpExchange, McpHeaders, McpTransport } from '@dacapo/mcp';
import { UnauthorizedException } from '@nestjs/common';
import { LocalUser } from './local-user.js';
import { TokenPrincipalSource } from './token.principal-source.js';
import { TokenSecret } from './token-secret.js';
import { TokenService } from './token.service.js';

const tokens = new TokenService(TokenSecret.fromEnvironment({}));
const localUser = LocalUser.fromEnvironment({ ONBOARDING_USER: 'grace@example.com' });
const source = new TokenPrincipalSource(tokens, localUser);
const principalOf = (headers: McpHeaders, transport: McpTransport = 'http') =>
  source.currentPrincipal({ transport, headers } as unknown as McpExchange);

describe('TokenPrincipalSource', () => {
  it('takes a caller without the header for nobody', async () => {
    await expect(principalOf({})).resolves.toBeNull();
  });

  it.each(['Bearer', 'bearer', 'BEARER'])('knows the bearer of a token (%s)', async (scheme) => {
    const authorization = `${scheme} ${await tokens.sign('ada@example.com')}`;
    await expect(principalOf({ authorization })).resolves.toBe('ada@example.com');
  });

  it.each(['', 'Bearer', 'Bearer ', 'Basic YWRhOmFkYQ==', 'Bearer a b'])(
    'refuses the header %p',
    async (authorization) => {
      await expect(principalOf({ authorization })).rejects.toThrow(
        /The Authorization header is not "Bearer <token>"/,
      );
    },
  );

  it('refuses a header that was sent twice', async () => {
    const authorization = ['Bearer a', 'Bearer b'];
    await expect(principalOf({ authorization })).rejects.toThrow(UnauthorizedException);
  });

  it('refuses a token that does not hold, rather than taking the caller for nobody', async () => {
    await expect(principalOf({ authorization: 'Bearer nonsense' })).rejects.toThrow(
      /The bearer token is not valid/,
    );
  });

  it('takes a caller over stdio for the local user', async () => {
    await expect(principalOf({}, 'stdio')).resolves.toBe('grace@example.com');
  });
});
