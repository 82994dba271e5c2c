import { Module } from '@nestjs/common';
import { PlansResources } from './plans.resources.js';
import { PlansService } from './plans.service.js';
import { PlansTools } from './plans.tools.js';

@Module({
  providers: [PlansService, PlansTools, PlansResources],
  exports: [PlansService],
})
export class PlansModule {}
