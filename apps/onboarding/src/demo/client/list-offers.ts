import { type Client, UriTemplate } from '@modelcontextprotocol/client';
import type { TextField } from '../fields/field.js';
import type { FormSchema } from '../fields/field-schema.js';
import { schemaFields } from '../fields/schema-fields.js';
import type { Offer } from './offer.js';

/** Everything a server offers: tools, prompts, resources and resource templates. */
export async function listOffers(client: Client): Promise<Offer[]> {
  const { tools } = await client.listTools();
  const { prompts } = await client.listPrompts();
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  return [
    ...tools.map(({ name, description = '', inputSchema }): Offer => ({
      kind: 'tool',
      name,
      description,
      fields: schemaFields(inputSchema as FormSchema),
    })),
    ...prompts.map(({ name, description = '', arguments: args = [] }): Offer => ({
      kind: 'prompt',
      name,
      description,
      fields: args.map((arg) => textField(arg.name, arg.required === true, arg.description)),
    })),
    ...resources.map(({ uri, description = '' }): Offer => ({
      kind: 'resource',
      name: uri,
      description,
      fields: [],
    })),
    ...resourceTemplates.map(({ uriTemplate, description = '' }): Offer => ({
      kind: 'resource template',
      name: uriTemplate,
      description,
      fields: new UriTemplate(uriTemplate).variableNames.map((name) => textField(name, true)),
    })),
  ];
}

function textField(name: string, required: boolean, description?: string): TextField {
  return {
    kind: 'text',
    name,
    label: name,
    required,
    ...(description !== undefined && { description }),
  };
}
