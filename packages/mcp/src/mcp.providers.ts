import { type Abstract, Logger, type Provider } from '@nestjs/common';
import { InProcessChangeBus, McpChangeBus, McpNotifier } from './changes/index.js';
import { HandlerExplorer } from './discovery/index.js';
import { McpSessionStore, McpVisibility } from './exchange/index.js';
import { CompletionsFeature } from './features/completions/index.js';
import { PromptsFeature } from './features/prompts/index.js';
import { McpRegistry } from './features/registry/index.js';
import { ResourcesFeature } from './features/resources/index.js';
import { SubscriptionsFeature } from './features/subscriptions/index.js';
import { ToolsFeature } from './features/tools/index.js';
import { DEFAULT_SERVER } from './mcp.constants.js';
import { getMcpNotifierToken, getMcpRegistryToken } from './mcp.tokens.js';
import type { McpModuleExtras, McpSeamProvider } from './options/index.js';
import { ResolvedOptions } from './options/index.js';
import {
  InProcessConversationGuard,
  KeyRing,
  McpConversationGuard,
  McpObserver,
  McpPrincipalSource,
  MrtrEngine,
  NobodyPrincipalSource,
  ReplayExecutor,
  RequestStateCodec,
  RoundPlayer,
} from './replay/index.js';

/** Injection token of the clock, a function that gives epoch milliseconds; tests replace it. */
export const MCP_CLOCK = Symbol('dacapo:clock');

/** Injection token of a server's notifier within its module, whatever the server is called. */
export const MCP_NOTIFIER = Symbol('dacapo:notifier');

/** Injection token of a server's `name`. */
export const MCP_SERVER_NAME = Symbol('dacapo:server-name');

/** The provider of a seam, as the application gave it. */
function seam<T>(provide: Abstract<T>, source: McpSeamProvider<T>): Provider {
  const { imports: _imports, ...provider } = source;
  return { provide, ...provider } as Provider;
}

/** A seam that may stay empty: null, so that no other module's is taken. */
function optionalSeam<T>(provide: Abstract<T>, source: McpSeamProvider<T> | undefined): Provider {
  return source === undefined ? { provide, useValue: null } : seam(provide, source);
}

/**
 * What is declared with the module: who calls, what is hidden, how changes travel, which server. What
 * applications inject has a token of its own in each server, so that `app.get()` cannot take another's.
 */
export function declaredProviders({
  name = DEFAULT_SERVER,
  principalSource = { useClass: NobodyPrincipalSource },
  visibility,
  changeBus = { useClass: InProcessChangeBus },
  observer,
  conversationGuard,
  sessionStore,
}: McpModuleExtras): Provider[] {
  const notifier = getMcpNotifierToken(name);
  const registry = getMcpRegistryToken(name);
  return [
    { provide: MCP_SERVER_NAME, useValue: name },
    seam(McpPrincipalSource, principalSource),
    seam(McpChangeBus, changeBus),
    optionalSeam(McpVisibility, visibility),
    optionalSeam(McpObserver, observer),
    optionalSeam(McpConversationGuard, conversationGuard),
    optionalSeam(McpSessionStore, sessionStore),
    {
      provide: notifier,
      inject: [ResolvedOptions, McpChangeBus],
      useFactory: ({ scope }: ResolvedOptions, bus: McpChangeBus) => new McpNotifier(scope, bus),
    },
    { provide: MCP_NOTIFIER, useExisting: notifier },
    {
      provide: registry,
      inject: [
        HandlerExplorer,
        ToolsFeature,
        PromptsFeature,
        ResourcesFeature,
        CompletionsFeature,
        notifier,
        SubscriptionsFeature,
      ],
      useFactory: (...parts: ConstructorParameters<typeof McpRegistry>) =>
        new McpRegistry(...parts),
    },
  ];
}

/** The replay engine, made from the options. */
export const replayProviders: Provider[] = [
  { provide: MCP_CLOCK, useValue: Date.now },
  {
    provide: KeyRing,
    inject: [ResolvedOptions],
    useFactory: (options: ResolvedOptions) =>
      options.secret === undefined ? ephemeralKeys(options) : KeyRing.fromSecret(options.secret),
  },
  {
    provide: RequestStateCodec,
    inject: [KeyRing, ResolvedOptions],
    useFactory: (keys: KeyRing, { scope }: ResolvedOptions) => new RequestStateCodec(keys, scope),
  },
  {
    provide: RoundPlayer,
    inject: [ResolvedOptions, MCP_CLOCK, McpObserver],
    useFactory: ({ replay }: ResolvedOptions, now: () => number, observer: McpObserver | null) =>
      new RoundPlayer(new ReplayExecutor(), replay, {
        now,
        ...(observer !== null && { observer }),
      }),
  },
  {
    provide: MrtrEngine,
    inject: [RoundPlayer, RequestStateCodec, MCP_CLOCK, McpConversationGuard],
    useFactory: (
      player: RoundPlayer,
      codec: RequestStateCodec,
      now: () => number,
      guard: McpConversationGuard | null,
    ) => new MrtrEngine(player, codec, guard ?? new InProcessConversationGuard(now)),
  },
];

function ephemeralKeys({ logPrefix }: ResolvedOptions): KeyRing {
  new Logger('McpModule').warn(
    `${logPrefix}No replay.secret is configured: a key was made that dies with this process. Conversations under way survive neither a ` +
      'restart nor another instance. Set replay.secret to 32 random bytes in base64 before you deploy.',
  );
  return KeyRing.ephemeral();
}
