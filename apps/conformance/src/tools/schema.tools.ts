import { Injectable } from '@nestjs/common';
import { type JsonSchema, McpArg, McpArgs, McpTool } from '@dacapo/mcp';

/** Kept to the letter in lists, and used for validation. */
const CONTACT: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/** Clients mirror the region in the header `Mcp-Param-Region`. */
const REGIONAL: JsonSchema = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
};

/** Tools with hand-written schemas. */
@Injectable()
export class SchemaTools {
  @McpTool({
    name: 'json_schema_2020_12_tool',
    description: 'Takes a contact described by JSON Schema 2020-12',
    input: CONTACT,
  })
  contact(@McpArgs() contact: object): object {
    return contact;
  }

  @McpTool({
    name: 'test_x_mcp_header',
    description: 'Takes a region that also travels in a header',
    input: REGIONAL,
  })
  regional(@McpArg('region') region: string | undefined): string {
    return `Region: ${region ?? 'none'}`;
  }
}
