import { Injectable } from '@nestjs/common';
import { McpArg, McpPrompt, type PromptMessage } from '@dacapo/mcp';
import { RED_PIXEL_PNG } from '../fixtures.js';

/** One prompt for each kind of content. */
@Injectable()
export class ContentPrompts {
  @McpPrompt({ name: 'test_simple_prompt', description: 'A simple prompt' })
  simple(): string {
    return 'This is a simple prompt for testing.';
  }

  @McpPrompt({ name: 'test_prompt_with_arguments', description: 'A prompt with two arguments' })
  withArguments(
    @McpArg('arg1', {
      description: 'First test argument',
      complete: ['test value', 'testing', 'another value'],
    })
    first: string,
    @McpArg('arg2', { description: 'Second test argument' }) second: string,
  ): string {
    return `Prompt with arguments: arg1='${first}', arg2='${second}'`;
  }

  @McpPrompt({
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt with a resource',
  })
  withResource(
    @McpArg('resourceUri', { description: 'URI of the resource to embed' }) uri: string,
  ): PromptMessage[] {
    return [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: {
            uri,
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        },
      },
      {
        role: 'user',
        content: { type: 'text', text: 'Please process the embedded resource above.' },
      },
    ];
  }

  @McpPrompt({ name: 'test_prompt_with_image', description: 'A prompt with an image' })
  withImage(): PromptMessage[] {
    return [
      {
        role: 'user',
        content: { type: 'image', data: RED_PIXEL_PNG, mimeType: 'image/png' },
      },
      { role: 'user', content: { type: 'text', text: 'Please analyze the image above.' } },
    ];
  }
}
