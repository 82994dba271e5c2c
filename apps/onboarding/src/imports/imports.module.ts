import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ImportsService } from './imports.service.js';
import { ImportsTools } from './imports.tools.js';

@Module({
  imports: [AccountsModule],
  providers: [ImportsService, ImportsTools],
})
export class ImportsModule {}
