import { McpModule } from '@dacapo/mcp';
import { McpTasksModule } from '@dacapo/tasks';
import { Module } from '@nestjs/common';
import { AccountsModule } from './accounts/accounts.module.js';
import { AuthModule } from './auth/auth.module.js';
import { TokenPrincipalSource } from './auth/token.principal-source.js';
import { ImportsModule } from './imports/imports.module.js';
import { PlansModule } from './plans/plans.module.js';

@Module({
  imports: [
    AuthModule,
    PlansModule,
    AccountsModule,
    ImportsModule,
    McpModule.forRoot({
      server: {
        name: 'dacapo-onboarding',
        version: '0.1.0',
        title: 'Onboarding',
        instructions:
          'Opens and closes customer accounts, one by one or from a list. The tools ask the user themselves: ' +
          'do not ask for an e-mail address, a plan or a confirmation beforehand.',
      },
      transports: ['http', 'stdio'],
      replay: { secret: process.env['DACAPO_SECRET'] },
      principalSource: { useExisting: TokenPrincipalSource, imports: [AuthModule] },
    }),
    McpTasksModule.forRoot(),
  ],
})
export class AppModule {}
