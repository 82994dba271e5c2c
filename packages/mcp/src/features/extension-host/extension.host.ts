import type { McpNotifier } from '../../changes/index.js';
import { backgroundOrigin, McpClient, McpExchange } from '../../exchange/index.js';
import {
  type ClientCapabilities,
  type Implementation,
  type InputRequest,
  type JsonValue,
  McpMethod,
  MetaKey,
} from '../../protocol/index.js';
import { readAnswer } from '../../replay/index.js';
import type { ExtensionRegistry, McpExtensionHost, McpRecordedRound } from '../extensions/index.js';
import type { PlayedTool, ToolsFeature } from '../tools/index.js';

/** What a server is made of, as far as its extensions have to do with it. */
export interface ExtendedServer {
  readonly scope: string;
  readonly now: () => number;
  readonly notifier: McpNotifier;
  readonly extensions: ExtensionRegistry;
  readonly tools: ToolsFeature;
}

/** @see McpExtensionHost */
export class ExtensionHost implements McpExtensionHost {
  constructor(
    private readonly identifier: string,
    private readonly server: ExtendedServer,
  ) {}

  get scope(): string {
    return this.server.scope;
  }

  now(): number {
    return this.server.now();
  }

  changed(key: string): void {
    this.server.notifier.extensionChanged(this.identifier, key);
  }

  onChanged(listener: (key: string) => void): void {
    this.server.extensions.listen(this.identifier, listener);
  }

  play(round: McpRecordedRound): Promise<PlayedTool> {
    const { tool: target, arguments: args, startedAtMs: startedAt, entries, answers } = round;
    const { conversationId, round: ordinal } = round;
    return this.server.tools.play(
      recordedExchange(round),
      {
        method: McpMethod.ToolsCall,
        target,
        // A handler may change its arguments.
        arguments: structuredClone(args),
        inputResponses: undefined,
        requestState: undefined,
      },
      { conversationId, startedAt, round: ordinal, entries, answers },
      (recorded) => round.save(recorded),
    );
  }

  readAnswer(question: InputRequest, key: string, answer: unknown): JsonValue {
    return readAnswer(question, key, answer);
  }
}

/** What a round is played in that has no request; its client is the one that called. */
function recordedExchange(round: McpRecordedRound): McpExchange {
  const { conversationId, protocolVersion, clientInfo, capabilities, background } = round;
  const exchange = new McpExchange(
    conversationId,
    McpMethod.ToolsCall,
    protocolVersion,
    new McpClient(clientInfo, capabilities),
    metaOf(protocolVersion, clientInfo, capabilities),
    backgroundOrigin(background, { transport: 'task', headers: {}, request: undefined }),
  );
  exchange.principal = round.principal;
  return exchange;
}

function metaOf(
  protocolVersion: string,
  clientInfo: Implementation | undefined,
  capabilities: ClientCapabilities,
): McpExchange['meta'] {
  return {
    [MetaKey.ProtocolVersion]: protocolVersion,
    ...(clientInfo !== undefined && { [MetaKey.ClientInfo]: clientInfo }),
    [MetaKey.ClientCapabilities]: capabilities,
  };
}
