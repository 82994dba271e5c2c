import { Injectable } from '@nestjs/common';
import { McpResource } from '@dacapo/mcp';
import { RED_PIXEL_PNG } from '../fixtures.js';

/** Text and bytes under a uri of their own. */
@Injectable()
export class StaticResources {
  @McpResource({
    uri: 'test://static-text',
    name: 'Static text',
    description: 'A text that never changes',
    mimeType: 'text/plain',
  })
  text(): string {
    return 'This is the content of the static text resource.';
  }

  @McpResource({
    uri: 'test://static-binary',
    name: 'Static image',
    description: 'An image that never changes',
    mimeType: 'image/png',
  })
  binary(): Buffer {
    return Buffer.from(RED_PIXEL_PNG, 'base64');
  }

  @McpResource({
    uri: 'test://watched-resource',
    name: 'Watched text',
    description: 'A text that clients may watch',
    mimeType: 'text/plain',
  })
  watched(): string {
    return 'This is the content of the watched resource.';
  }
}
