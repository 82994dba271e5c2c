import { Injectable } from '@nestjs/common';
import { McpContext, McpNotifier, McpTool, McpToolContext } from '@dacapo/mcp';

const STEPS = 100;

@Injectable()
export class TellingTools {
  constructor(private readonly notifier: McpNotifier) {}

  @McpTool({ name: 'progress', description: 'Reports a hundred times' })
  async progress(@McpContext() ctx: McpToolContext): Promise<string> {
    const progress = ctx.countingProgress(STEPS);
    for (let step = 0; step < STEPS; step += 1) progress.next();
    return 'done';
  }

  @McpTool({ name: 'change', description: 'Tells all listeners of a change' })
  change(): string {
    this.notifier.toolsChanged();
    return 'told';
  }
}
