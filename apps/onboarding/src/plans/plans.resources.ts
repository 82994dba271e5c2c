import { McpResource } from '@dacapo/mcp';
import { Injectable } from '@nestjs/common';
import type { Plan } from './plan.js';
import { PlansService } from './plans.service.js';

const HOUR_MS = 3_600_000;

/** The catalogue, for everybody. */
@Injectable()
export class PlansResources {
  constructor(private readonly plans: PlansService) {}

  @McpResource({
    uri: 'plans://catalogue',
    title: 'Plans',
    description: 'All plans with their prices',
    mimeType: 'text/markdown',
    cache: { ttlMs: HOUR_MS, scope: 'public' },
  })
  catalogue(): string {
    return ['| plan | for whom | a seat and month | seats |', '| --- | --- | --- | --- |']
      .concat(this.plans.all().map(toRow))
      .join('\n');
  }
}

function toRow({ title, summary, pricePerSeat, maxSeats }: Plan): string {
  return `| ${title} | ${summary} | ${pricePerSeat} EUR | up to ${maxSeats} |`;
}
