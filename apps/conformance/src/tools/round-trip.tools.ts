import { Injectable } from '@nestjs/common';
import { McpContext, McpTool, McpToolContext } from '@dacapo/mcp';

/** Tools that take several rounds. */
@Injectable()
export class RoundTripTools {
  @McpTool({ name: 'test_input_required_result_elicitation', description: 'Asks for a name' })
  async elicitation(@McpContext() ctx: McpToolContext): Promise<string> {
    const answer = await ctx.elicit('What is your name?', (form) => form.string('name'), {
      key: 'user_name',
    });
    return answer.action === 'accept'
      ? `Hello, ${answer.content.name}!`
      : 'Hello, whoever you are!';
  }

  @McpTool({ name: 'test_input_required_result_request_state', description: 'Asks, with state' })
  async requestState(@McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.elicit('All right?', (form) => form.boolean('ok'), { key: 'confirm' });
    return 'state-ok';
  }

  @McpTool({ name: 'test_input_required_result_tampered_state', description: 'Guards its state' })
  tamperedState(@McpContext() ctx: McpToolContext): Promise<string> {
    return this.requestState(ctx);
  }

  @McpTool({ name: 'test_input_required_result_multi_round', description: 'Asks twice' })
  async multiRound(@McpContext() ctx: McpToolContext): Promise<string> {
    const who = await ctx.elicit('What is your name?', (form) => form.string('name'), {
      key: 'step1',
    });
    const colour = await ctx.elicit('Which colour do you like?', (form) => form.string('color'), {
      key: 'step2',
    });
    return who.action === 'accept' && colour.action === 'accept'
      ? `${who.content.name} likes ${colour.content.color}`
      : 'Nobody likes anything';
  }
}
