import { Module } from '@nestjs/common';
import { LocalUser } from './local-user.js';
import { TokenPrincipalSource } from './token.principal-source.js';
import { TokenSecret } from './token-secret.js';
import { TokenService } from './token.service.js';

@Module({
  providers: [
    { provide: TokenSecret, useFactory: () => TokenSecret.fromEnvironment(process.env) },
    { provide: LocalUser, useFactory: () => LocalUser.fromEnvironment(process.env) },
    TokenService,
    TokenPrincipalSource,
  ],
  exports: [TokenSecret, TokenService, TokenPrincipalSource],
})
export class AuthModule {}
