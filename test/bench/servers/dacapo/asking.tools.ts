import { Injectable } from '@nestjs/common';
import { McpArgs, McpContext, McpTool, McpToolContext } from '@dacapo/mcp';
import { IsInt, Min } from 'class-validator';

class Survey {
  @IsInt()
  @Min(1)
  questions!: number;
}

@Injectable()
export class AskingTools {
  @McpTool({ name: 'survey', description: 'Asks so many questions, one after the other' })
  async survey(
    @McpArgs() { questions }: Survey,
    @McpContext() ctx: McpToolContext,
  ): Promise<string> {
    const answers: string[] = [];
    for (let question = 1; question <= questions; question += 1) {
      const answer = await ctx.elicit(`Question ${question}?`, (form) => form.string('answer'));
      if (answer.action !== 'accept') return 'Stopped.';
      answers.push(answer.content.answer);
    }
    return answers.join(' ');
  }
}
