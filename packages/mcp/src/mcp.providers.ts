import { Logger, type Provider } from '@nestjs/common';
import type { McpPrincipalSourceProvider } from './options/index.js';
import { ResolvedOptions } from './options/index.js';
import {
  KeyRing,
  McpPrincipalSource,
  MrtrEngine,
  NobodyPrincipalSource,
  ReplayExecutor,
  RequestStateCodec,
} from './replay/index.js';

/** Injection token of the clock, a function that gives epoch milliseconds; tests replace it. */
export const MCP_CLOCK = Symbol('dacapo:clock');

/** The principal source the application gave, or the one that knows nobody. */
export function principalSourceProvider(source?: McpPrincipalSourceProvider): Provider {
  if (source === undefined) {
    return { provide: McpPrincipalSource, useClass: NobodyPrincipalSource };
  }
  const { imports: _imports, ...provider } = source;
  return { provide: McpPrincipalSource, ...provider } as Provider;
}

/** The replay engine, made from the options. */
export const replayProviders: Provider[] = [
  { provide: MCP_CLOCK, useValue: Date.now },
  {
    provide: KeyRing,
    inject: [ResolvedOptions],
    useFactory: ({ secret }: ResolvedOptions) =>
      secret === undefined ? ephemeralKeys() : KeyRing.fromSecret(secret),
  },
  {
    provide: MrtrEngine,
    inject: [KeyRing, ResolvedOptions, MCP_CLOCK],
    useFactory: (keys: KeyRing, options: ResolvedOptions, clock: () => number) =>
      new MrtrEngine(
        new ReplayExecutor(),
        new RequestStateCodec(keys, options.serverInfo.name),
        options.replay,
        clock,
      ),
  },
];

function ephemeralKeys(): KeyRing {
  new Logger('McpModule').warn(
    'No replay.secret is configured: a key was made that dies with this process. Conversations under way survive neither a ' +
      'restart nor another instance. Set replay.secret to 32 random bytes in base64 before you deploy.',
  );
  return KeyRing.ephemeral();
}
