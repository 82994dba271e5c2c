import { McpArgs, McpTool } from '@dacapo/mcp';
import { Injectable } from '@nestjs/common';
import { QuoteDto } from './dto/quote.dto.js';
import { QuotePlanDto } from './dto/quote-plan.dto.js';
import { PlansService } from './plans.service.js';

/** Prices, for everybody. */
@Injectable()
export class PlansTools {
  constructor(private readonly plans: PlansService) {}

  @McpTool({
    title: 'Quote a plan',
    description: 'Says what a plan costs for a number of seats',
    output: QuoteDto,
    annotations: { readOnlyHint: true },
  })
  quotePlan(@McpArgs() { plan, seats, billing }: QuotePlanDto): QuoteDto {
    return { plan, seats, billing, ...this.plans.price(plan, seats, billing) };
  }
}
