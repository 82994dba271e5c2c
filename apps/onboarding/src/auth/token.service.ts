import { Injectable, UnauthorizedException } from '@nestjs/common';
import { errors, jwtVerify, SignJWT } from 'jose';
import { TokenSecret } from './token-secret.js';

const ALGORITHM = 'HS256';
const ISSUER = 'dacapo-onboarding';
const AUDIENCE = 'dacapo-onboarding-mcp';
const LIFETIME = '1h';

/** Signs and verifies bearer tokens: JSON Web Tokens with HS256. */
@Injectable()
export class TokenService {
  constructor(private readonly secret: TokenSecret) {}

  /** A token that names its bearer. */
  sign(subject: string, expires: string | Date = LIFETIME): Promise<string> {
    return new SignJWT()
      .setProtectedHeader({ alg: ALGORITHM })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(subject)
      .setIssuedAt()
      .setExpirationTime(expires)
      .sign(this.secret.key);
  }

  /**
   * The bearer of a token.
   * @throws UnauthorizedException when the token is not one of ours, or no longer valid
   */
  async verify(token: string): Promise<string> {
    try {
      const { payload } = await jwtVerify(token, this.secret.key, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['exp'],
      });
      if (payload.sub !== undefined && payload.sub !== '') return payload.sub;
    } catch (error) {
      throw toRefusal(error);
    }
    throw new UnauthorizedException('The bearer token names nobody. Sign in again.');
  }
}

/** Says no more than the bearer may know: which claim or signature failed helps only forgers. */
function toRefusal(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) {
    return new UnauthorizedException('The bearer token has expired. Sign in again.');
  }
  return error instanceof errors.JOSEError
    ? new UnauthorizedException('The bearer token is not valid. Sign in again.')
    : error;
}
