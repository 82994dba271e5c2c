import { Injectable } from '@nestjs/common';
import {
  type AudioContent,
  type ContentBlock,
  type EmbeddedResource,
  type ImageContent,
  McpTool,
  McpToolException,
} from '@dacapo/mcp';
import { RED_PIXEL_PNG, SILENCE_WAV } from '../fixtures.js';

/** One tool for each kind of content; the first one listed succeeds without arguments. */
@Injectable()
export class ContentTools {
  @McpTool({ name: 'test_simple_text', description: 'Returns simple text' })
  text(): string {
    return 'This is a simple text response for testing.';
  }

  @McpTool({ name: 'test_image_content', description: 'Returns an image' })
  image(): ImageContent {
    return { type: 'image', data: RED_PIXEL_PNG, mimeType: 'image/png' };
  }

  @McpTool({ name: 'test_audio_content', description: 'Returns audio' })
  audio(): AudioContent {
    return { type: 'audio', data: SILENCE_WAV, mimeType: 'audio/wav' };
  }

  @McpTool({ name: 'test_embedded_resource', description: 'Returns an embedded resource' })
  embedded(): EmbeddedResource {
    return {
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    };
  }

  @McpTool({ name: 'test_multiple_content_types', description: 'Returns several kinds at once' })
  multiple(): ContentBlock[] {
    return [
      { type: 'text', text: 'Multiple content types test:' },
      this.image(),
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ];
  }

  @McpTool({ name: 'test_error_handling', description: 'Fails' })
  fail(): never {
    throw new McpToolException('This tool intentionally returns an error for testing');
  }
}
