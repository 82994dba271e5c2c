import { Injectable } from '@nestjs/common';
import {
  type CreateMessageRequestParams,
  type McpElicitor,
  McpArg,
  McpContext,
  McpTool,
  McpToolContext,
} from '@dacapo/mcp';
import { objectOf } from '../object-of.js';

/** Tools that ask in every way there is. */
@Injectable()
export class AskTools {
  @McpTool({ name: 'test_input_required_result_sampling', description: 'Asks the model' })
  async sampling(@McpContext() ctx: McpToolContext): Promise<string> {
    const { model } = await ctx.sample(textRequest('What is the capital of France?', 100), {
      key: 'capital_question',
    });
    return `${model} has answered`;
  }

  @McpTool({
    name: 'test_sampling',
    description: 'Asks the model what the caller wants asked',
    input: objectOf({ prompt: 'string' }),
  })
  async prompt(
    @McpArg('prompt') prompt: string,
    @McpContext() ctx: McpToolContext,
  ): Promise<string> {
    const { content } = await ctx.sample(textRequest(prompt, 100));
    return `LLM response: ${JSON.stringify(content)}`;
  }

  @McpTool({ name: 'test_input_required_result_list_roots', description: 'Asks for the roots' })
  async roots(@McpContext() ctx: McpToolContext): Promise<string> {
    const roots = await ctx.listRoots({ key: 'client_roots' });
    return `Roots: ${roots.map(({ uri }) => uri).join(', ')}`;
  }

  @McpTool({ name: 'test_input_required_result_multiple_inputs', description: 'Asks for it all' })
  async multiple(@McpContext() ctx: McpToolContext): Promise<string> {
    const [name, greeting, roots] = await Promise.all([
      askName(ctx),
      ctx.sample(textRequest('Write a greeting.', 50), { key: 'greeting' }),
      ctx.listRoots({ key: 'client_roots' }),
    ]);
    return `${name.action}, ${greeting.model}, ${roots.length}`;
  }

  @McpTool({
    name: 'test_input_required_result_capabilities',
    description: 'Asks for nothing that the client cannot do',
  })
  async capabilities(@McpContext() ctx: McpToolContext): Promise<string> {
    const { client } = ctx;
    const answers = await Promise.all([
      ...(client.supports('elicitation.form') ? [askName(ctx)] : []),
      ...(client.supports('sampling')
        ? [ctx.sample(textRequest('Say something.', 50), { key: 'greeting' })]
        : []),
    ]);
    return `${answers.length} answers`;
  }
}

function askName(elicitor: McpElicitor): ReturnType<McpElicitor['elicit']> {
  return elicitor.elicit('What is your name?', (form) => form.string('name'), {
    key: 'user_name',
  });
}

/** A request for sampling that says one thing. */
function textRequest(text: string, maxTokens: number): CreateMessageRequestParams {
  return { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens };
}
