import { Injectable } from '@nestjs/common';
import { McpArg, McpResource } from '@dacapo/mcp';

/** Resources by template. */
@Injectable()
export class TemplateResources {
  @McpResource({
    uriTemplate: 'test://template/{id}/data',
    name: 'Data by id',
    description: 'The data of one id',
    mimeType: 'application/json',
  })
  data(@McpArg('id') id: string): object {
    return { id, templateTest: true, data: `Data for ID: ${id}` };
  }
}
