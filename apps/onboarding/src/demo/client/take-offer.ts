import type { JsonValue } from '@dacapo/mcp';
import {
  type CallToolResult,
  type Client,
  type ContentBlock,
  type GetPromptResult,
  type ReadResourceResult,
  UriTemplate,
} from '@modelcontextprotocol/client';
import type { Offer } from './offer.js';

/** What became of a call. */
export interface Taken {
  /** What a person reads. */
  readonly text: string;
  /** What a tool returned as data. */
  readonly data?: unknown;
  /** The tool says that it failed. */
  readonly failed: boolean;
}

/** A tool that becomes a task is one request to the client, however long it takes: it shall not give up. */
const TOOL_TIMEOUT_MS = 3_600_000;

type Arguments = Readonly<Record<string, JsonValue>>;

/** Calls a tool, gets a prompt or reads a resource; questions are answered on the way. */
export async function takeOffer(
  client: Client,
  offer: Pick<Offer, 'kind' | 'name'>,
  args: Arguments,
  signal?: AbortSignal,
): Promise<Taken> {
  const { kind, name } = offer;
  const options = signal === undefined ? {} : { signal };
  switch (kind) {
    case 'tool':
      return toolTaken(
        await client.callTool({ name, arguments: args }, { ...options, timeout: TOOL_TIMEOUT_MS }),
      );
    case 'prompt':
      return promptTaken(await client.getPrompt({ name, arguments: texts(args) }, options));
    case 'resource':
      return resourceTaken(await client.readResource({ uri: name }, options));
    case 'resource template': {
      const uri = new UriTemplate(name).expand(texts(args));
      return resourceTaken(await client.readResource({ uri }, options));
    }
  }
}

/** Prompts and uris carry text only. */
function texts(args: Arguments): Record<string, string> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

function toolTaken({ content, structuredContent, isError = false }: CallToolResult): Taken {
  return structuredContent === undefined
    ? { text: content.map(blockText).join('\n'), failed: isError }
    : {
        text: JSON.stringify(structuredContent, null, 2),
        data: structuredContent,
        failed: isError,
      };
}

function promptTaken({ messages }: GetPromptResult): Taken {
  const text = messages.map(({ role, content }) => `${role}: ${blockText(content)}`).join('\n');
  return { text, failed: false };
}

function resourceTaken({ contents }: ReadResourceResult): Taken {
  const text = contents
    .map((item) => ('text' in item ? readable(item) : `(${item.mimeType ?? 'binary'} in base64)`))
    .join('\n');
  return { text, failed: false };
}

/** JSON is sent on one line, which nobody likes to read. */
function readable({ mimeType, text }: { mimeType?: string; text: string }): string {
  return mimeType === 'application/json' ? JSON.stringify(JSON.parse(text), null, 2) : text;
}

function blockText(block: ContentBlock): string {
  return block.type === 'text' ? block.text : `(${block.type})`;
}
