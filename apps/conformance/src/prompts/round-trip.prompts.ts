import { Injectable } from '@nestjs/common';
import { McpElicit, McpElicitor, McpPrompt } from '@dacapo/mcp';

/** A prompt that takes two rounds. */
@Injectable()
export class RoundTripPrompts {
  @McpPrompt({ name: 'test_input_required_result_prompt', description: 'Asks for the context' })
  async context(@McpElicit() elicitor: McpElicitor): Promise<string> {
    const answer = await elicitor.elicit('In which context?', (form) => form.string('context'), {
      key: 'user_context',
    });
    return answer.action === 'accept'
      ? `Consider this context: ${answer.content.context}`
      : 'Consider no context.';
  }
}
