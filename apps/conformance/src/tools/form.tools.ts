import { Injectable } from '@nestjs/common';
import { type ElicitAnswer, McpArg, McpContext, McpTool, McpToolContext } from '@dacapo/mcp';
import { withEnumNames } from '../enum-names.js';
import { objectOf } from '../object-of.js';

const PLAIN = ['option1', 'option2', 'option3'];
const TITLED = [
  { value: 'value1', title: 'First Choice' },
  { value: 'value2', title: 'Second Choice' },
  { value: 'value3', title: 'Third Choice' },
];

/** Tools that ask for all that a form can hold. */
@Injectable()
export class FormTools {
  @McpTool({
    name: 'test_elicitation',
    description: 'Asks what the caller wants asked',
    input: objectOf({ message: 'string' }),
  })
  async contact(
    @McpArg('message') message: string,
    @McpContext() ctx: McpToolContext,
  ): Promise<string> {
    return told(
      await ctx.elicit(message, (form) =>
        form
          .string('username', { description: "User's response" })
          .email('email', { description: "User's email address" }),
      ),
    );
  }

  @McpTool({ name: 'test_elicitation_sep1034_defaults', description: 'Asks, and suggests answers' })
  async defaults(@McpContext() ctx: McpToolContext): Promise<string> {
    return told(
      await ctx.elicit('Who are you?', (form) =>
        form
          .string('name', { default: 'John Doe' })
          .integer('age', { default: 30 })
          .number('score', { default: 95.5 })
          .choice('status', ['active', 'inactive', 'pending'], { default: 'active' })
          .boolean('verified', { default: true }),
      ),
    );
  }

  @McpTool({ name: 'test_elicitation_sep1330_enums', description: 'Offers choices of every kind' })
  async choices(@McpContext() ctx: McpToolContext): Promise<string> {
    return told(
      await ctx.elicit('What do you choose?', (form) =>
        withEnumNames(
          form
            .choice('untitledSingle', PLAIN)
            .choice('titledSingle', TITLED)
            .choice('legacyEnum', ['opt1', 'opt2', 'opt3'])
            .choices('untitledMulti', PLAIN)
            .choices('titledMulti', TITLED),
          'legacyEnum',
          ['Option One', 'Option Two', 'Option Three'],
        ),
      ),
    );
  }
}

function told(answer: ElicitAnswer<object>): string {
  return `User response: ${JSON.stringify(answer)}`;
}
