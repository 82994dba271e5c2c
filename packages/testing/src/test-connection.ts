import {
  type ClientCapabilities,
  type Implementation,
  type JsonRpcNotification,
  type LogLevel,
  type McpInProcessConnection,
  MetaKey,
  PROTOCOL_VERSION,
  type RequestId,
  type RequestState,
} from '@dacapo/mcp';
import { McpCallFailedException } from './exceptions/mcp-call-failed.exception.js';

/** What a client says of itself with every request. */
export interface TestClientIdentity {
  readonly info: Implementation;
  readonly capabilities: ClientCapabilities;
  readonly logLevel: LogLevel | undefined;
}

/** How one request is sent. */
export interface TestRequestOptions {
  /** Takes the request back when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Hears what the server says before its answer. */
  readonly onNotification?: (notification: JsonRpcNotification) => void;
}

/** Sends requests with all that the protocol demands of them. */
export class TestConnection {
  private lastId = 0;

  constructor(
    private readonly connection: McpInProcessConnection,
    private readonly identity: TestClientIdentity,
  ) {}

  /** @throws McpCallFailedException when the answer is an error */
  async request<R>(method: string, params: object, options: TestRequestOptions = {}): Promise<R> {
    const id = (this.lastId += 1);
    const response = await this.connection.send(
      { jsonrpc: '2.0', id, method, params: { ...params, _meta: this.envelope(id, params) } },
      options,
    );
    if ('error' in response) throw new McpCallFailedException(response.error);
    return response.result as R;
  }

  /** @see McpInProcessConnection.openState */
  openState(requestState: string): RequestState {
    return this.connection.openState(requestState);
  }

  /** @see McpInProcessConnection.sealState */
  sealState(state: RequestState): string {
    return this.connection.sealState(state);
  }

  private envelope(id: RequestId, params: { readonly _meta?: object }): object {
    const { info, capabilities, logLevel } = this.identity;
    return {
      [MetaKey.ProtocolVersion]: PROTOCOL_VERSION,
      [MetaKey.ClientInfo]: info,
      [MetaKey.ClientCapabilities]: capabilities,
      [MetaKey.ProgressToken]: id,
      ...(logLevel !== undefined && { [MetaKey.LogLevel]: logLevel }),
      ...params._meta,
    };
  }
}
