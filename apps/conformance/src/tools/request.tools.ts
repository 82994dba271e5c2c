import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { McpContext, McpTool, McpToolContext } from '@dacapo/mcp';

const STEP_MS = 50;

/** Tools about the request they come with. */
@Injectable()
export class RequestTools {
  @McpTool({ name: 'test_tool_with_progress', description: 'Reports progress: 0, 50, 100' })
  async progress(@McpContext() ctx: McpToolContext): Promise<string> {
    const progress = ctx.absoluteProgress(100);
    progress.to(0, 'Started');
    await pause(STEP_MS);
    progress.to(50, 'Half done');
    await pause(STEP_MS);
    progress.to(100, 'Done');
    return 'Progress reported';
  }

  @McpTool({
    name: 'test_missing_capability',
    description: 'Needs a client that samples',
    requires: ['sampling'],
  })
  needsSampling(): string {
    return 'The client samples';
  }

  @McpTool({ name: 'test_streaming_elicitation', description: 'Sends no requests of its own' })
  streaming(): string {
    return 'Questions travel in results, not as requests';
  }

  @McpTool({ name: 'test_logging_tool', description: 'Logs to clients that asked for it' })
  logging(@McpContext() ctx: McpToolContext): string {
    ctx.log.info('The tool runs', 'conformance');
    return 'Logged';
  }

  @McpTool({ name: 'test_tool_with_logging', description: 'Logs at each of three steps' })
  async logSteps(@McpContext() ctx: McpToolContext): Promise<string> {
    ctx.log.info('Tool execution started');
    await pause(STEP_MS);
    ctx.log.info('Tool processing data');
    await pause(STEP_MS);
    ctx.log.info('Tool execution completed');
    return 'Logged';
  }

  @McpTool({ name: 'test_reconnection', description: 'Takes a while to answer' })
  async reconnection(): Promise<string> {
    await pause(STEP_MS);
    return 'Answered';
  }
}
