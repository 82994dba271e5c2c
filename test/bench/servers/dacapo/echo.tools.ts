import { Injectable } from '@nestjs/common';
import { McpArgs, McpTool } from '@dacapo/mcp';
import { IsInt, IsString, MaxLength, Min } from 'class-validator';
import { z } from 'zod';

const EchoInput = z.object({ text: z.string().max(200), times: z.number().int().min(1) });

export class EchoArgs {
  @IsString()
  @MaxLength(200)
  text!: string;

  @IsInt()
  @Min(1)
  times!: number;
}

/** The same tool, described in three ways. */
@Injectable()
export class EchoTools {
  @McpTool({
    name: 'echo_json',
    description: 'Says it again',
    input: {
      type: 'object',
      properties: {
        text: { type: 'string', maxLength: 200 },
        times: { type: 'integer', minimum: 1 },
      },
      required: ['text', 'times'],
      additionalProperties: false,
    },
  })
  echoJson(@McpArgs() { text }: z.infer<typeof EchoInput>): string {
    return text;
  }

  @McpTool({ name: 'echo_zod', description: 'Says it again', input: EchoInput })
  echoZod(@McpArgs() { text }: z.infer<typeof EchoInput>): string {
    return text;
  }

  @McpTool({ name: 'echo_dto', description: 'Says it again' })
  echoDto(@McpArgs() { text }: EchoArgs): string {
    return text;
  }
}
