import { UnauthorizedException } from '@nestjs/common';
import { SignJWT, UnsecuredJWT } from 'jose';
import { TokenSecret } from './token-secret.js';
import { TokenService } from './token.service.js';

/** Long enough for HS512, which the service must refuse all the same. */
const SECRET = 's'.repeat(64);
const key = new TextEncoder().encode(SECRET);
const service = (secret = SECRET) =>
  new TokenService(TokenSecret.fromEnvironment({ ONBOARDING_TOKEN_SECRET: secret }));

/** A token like those of the service, but for what a test changes. */
const forged = (alg = 'HS256') =>
  new SignJWT()
    .setProtectedHeader({ alg })
    .setIssuer('dacapo-onboarding')
    .setAudience('dacapo-onboarding-mcp')
    .setSubject('ada@example.com')
    .setExpirationTime('1h');

describe('TokenService', () => {
  it('verifies what it signed', async () => {
    const token = await service().sign('ada@example.com');
    await expect(service().verify(token)).resolves.toBe('ada@example.com');
    await expect(service().verify(await forged().sign(key))).resolves.toBe('ada@example.com');
  });

  it('refuses an expired token', async () => {
    const token = await service().sign('ada@example.com', new Date(Date.now() - 1_000));
    await expect(service().verify(token)).rejects.toThrow(
      new UnauthorizedException('The bearer token has expired. Sign in again.'),
    );
  });

  it.each<[string, () => Promise<string>]>([
    ['is no token', async () => 'nonsense'],
    ['was signed with another key', () => service('x'.repeat(32)).sign('ada@example.com')],
    ['was signed with another algorithm', () => forged('HS512').sign(key)],
    ['was not signed', async () => new UnsecuredJWT({ sub: 'ada@example.com' }).encode()],
    ['was changed', async () => tamper(await service().sign('ada@example.com'))],
    ['is of another issuer', () => forged().setIssuer('somebody').sign(key)],
    ['is for another audience', () => forged().setAudience('somebody').sign(key)],
    ['never expires', () => withoutExpiry().sign(key)],
  ])('refuses a token that %s', async (_, token) => {
    await expect(service().verify(await token())).rejects.toThrow(
      new UnauthorizedException('The bearer token is not valid. Sign in again.'),
    );
  });

  it.each(['', undefined])('refuses a token whose subject is %p', async (sub) => {
    const token = await new SignJWT({ sub })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('dacapo-onboarding')
      .setAudience('dacapo-onboarding-mcp')
      .setExpirationTime('1h')
      .sign(key);
    await expect(service().verify(token)).rejects.toThrow(
      new UnauthorizedException('The bearer token names nobody. Sign in again.'),
    );
  });
});

/** The same header and signature around another subject. */
function tamper(token: string): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const changed = JSON.stringify({ ...claims, sub: 'grace@example.com' });
  return [header, Buffer.from(changed).toString('base64url'), signature].join('.');
}

function withoutExpiry(): SignJWT {
  return new SignJWT({ sub: 'ada@example.com' })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('dacapo-onboarding')
    .setAudience('dacapo-onboarding-mcp');
}
