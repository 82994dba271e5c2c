import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, InternalServerErrorException } from '@nestjs/common';
import {
  InvalidParamsException,
  McpArg,
  McpContext,
  McpSignal,
  McpTool,
  McpToolContext,
} from '@dacapo/mcp';
import { McpTask } from '@dacapo/tasks';
import { objectOf } from '../object-of.js';

/** Tools that may become tasks. */
@Injectable()
export class TaskTools {
  @McpTool({ description: 'Greets, at once', input: objectOf({ name: 'string' }) })
  greet(@McpArg('name') name: string): string {
    return `Hello, ${name}!`;
  }

  @McpTask()
  @McpTool({
    name: 'slow_compute',
    description: 'Takes its time',
    input: objectOf({ seconds: 'number', label: 'string' }),
  })
  async slowCompute(
    @McpArg('seconds') seconds: number,
    @McpArg('label') label: string,
    @McpSignal() signal: AbortSignal,
  ): Promise<string> {
    await sleep(seconds * 1_000, undefined, { signal });
    return `Computed ${label} in ${seconds} s`;
  }

  @McpTask({ required: true })
  @McpTool({ name: 'failing_job', description: 'Fails as a tool does' })
  async failingJob(@McpSignal() signal: AbortSignal): Promise<never> {
    await sleep(1_000, undefined, { signal });
    throw new InternalServerErrorException('The job has failed');
  }

  @McpTask()
  @McpTool({ name: 'protocol_error_job', description: 'Fails with an error of the protocol' })
  protocolErrorJob(): never {
    throw new InvalidParamsException('The job cannot be done');
  }

  @McpTask()
  @McpTool({
    name: 'confirm_delete',
    description: 'Asks before it deletes',
    input: objectOf({ filename: 'string' }),
  })
  async confirmDelete(
    @McpArg('filename') filename: string,
    @McpContext() ctx: McpToolContext,
  ): Promise<string> {
    const answer = await ctx.elicit(`Delete ${filename}?`, (form) => form.boolean('confirm'));
    return answer.action === 'accept' && answer.content.confirm
      ? `Deleted ${filename}`
      : `Kept ${filename}`;
  }

  @McpTask()
  @McpTool({ name: 'multi_input', description: 'Asks two things at once' })
  async multiInput(@McpContext() ctx: McpToolContext): Promise<string> {
    const answers = await Promise.all([
      ctx.elicit('Go on with the first?', (form) => form.boolean('confirm')),
      ctx.elicit('Go on with the second?', (form) => form.boolean('confirm')),
    ]);
    return answers.map(({ action }) => action).join(', ');
  }

  @McpTask({ begin: 'on-detach' })
  @McpTool({ name: 'test_tool_with_task', description: 'Asks, and goes on as a task' })
  async askThenTask(@McpContext() ctx: McpToolContext): Promise<string> {
    const answer = await ctx.elicit('What is your name?', (form) => form.string('name'), {
      key: 'user_name',
    });
    await ctx.detach();
    return answer.action === 'accept' ? `Done for ${answer.content.name}` : 'Done for nobody';
  }
}
