import { Injectable, type OnModuleInit, Scope } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import { McpChangeBus } from './changes/index.js';
import { InvalidOptionsException } from './exceptions/index.js';
import { McpSessionStore, McpVisibility } from './exchange/index.js';
import { MODULE_OPTIONS_TOKEN } from './mcp.module-definition.js';
import { McpConversationGuard, McpObserver, McpPrincipalSource } from './replay/index.js';
import { McpDispatcher } from './server/index.js';

/** A place where the application provides a part of the server. */
interface Seam {
  readonly option: string;
  readonly mend: string;
}

const SEAMS: ReadonlyMap<unknown, Seam> = new Map<unknown, Seam>([
  [
    McpPrincipalSource,
    {
      option: 'principalSource',
      mend: 'Make it a singleton; it is given the exchange of every request',
    },
  ],
  [
    McpVisibility,
    {
      option: 'visibility',
      mend: 'Make it a singleton; it is given the exchange of every request',
    },
  ],
  [
    McpChangeBus,
    { option: 'changeBus', mend: 'Make it a singleton; changes belong to no request' },
  ],
  [
    McpObserver,
    { option: 'observer', mend: 'Make it a singleton; events say which conversation they are of' },
  ],
  [
    McpConversationGuard,
    {
      option: 'conversationGuard',
      mend: 'Make it a singleton; it remembers rounds beyond their requests',
    },
  ],
  [
    McpSessionStore,
    { option: 'sessionStore', mend: 'Make it a singleton; sessions outlive requests' },
  ],
  [
    MODULE_OPTIONS_TOKEN,
    {
      option: 'useFactory (or useClass, useExisting)',
      mend: 'Make it a singleton; options are read once, when the application starts',
    },
  ],
]);

/** What an application puts in place of a provider of the module. */
const OVERRIDE: Seam = { option: 'providers', mend: 'Make it a singleton' };

/**
 * Sees to it that every server is made when the application starts. Nest makes nothing that needs
 * something request-scoped before there is a request: `McpBootstrap` would never run, no endpoint would
 * be mounted, and nothing would be logged. This class needs no part of a server, so it always runs.
 */
@Injectable()
export class McpSeamCheck implements OnModuleInit {
  constructor(private readonly modules: ModulesContainer) {}

  /** @throws InvalidOptionsException which stops the boot */
  onModuleInit(): void {
    this.check();
  }

  /**
   * Every server of the application; what any of them needs, its dispatcher does.
   * @throws InvalidOptionsException naming the seam, and what is request-scoped
   */
  check(): void {
    for (const { providers } of this.modules.values()) {
      const dispatcher = providers.get(McpDispatcher);
      if (dispatcher?.isDependencyTreeStatic() === false) throw refusal(dispatcher);
    }
  }
}

function refusal(dispatcher: InstanceWrapper): InvalidOptionsException {
  const path = pathToScoped(dispatcher);
  const [scoped = dispatcher] = path.slice(-1);
  const place = path.find(({ token }) => SEAMS.has(token));
  const { option, mend } = SEAMS.get(place?.token) ?? OVERRIDE;
  const needs = place === scoped ? 'is' : 'depends on';
  return new InvalidOptionsException(
    option,
    `${needs} ${nameOf(scoped)}, which is request-scoped, so that the server would never be made`,
    mend,
  );
}

/** From a provider down to the first that is request-scoped itself; empty when there is none. */
function pathToScoped(
  wrapper: InstanceWrapper,
  seen = new Set<InstanceWrapper>(),
): readonly InstanceWrapper[] {
  if (wrapper.isDependencyTreeStatic() || seen.has(wrapper)) return [];
  if (wrapper.scope === Scope.REQUEST) return [wrapper];
  seen.add(wrapper);
  for (const dependency of dependenciesOf(wrapper)) {
    const path = pathToScoped(dependency, seen);
    if (path.length > 0) return [wrapper, ...path];
  }
  return [];
}

/** Nest's types do not tell that either may be missing. */
function dependenciesOf(wrapper: InstanceWrapper): readonly InstanceWrapper[] {
  const params = wrapper.getCtorMetadata() as InstanceWrapper[] | undefined;
  const properties = wrapper.getPropertiesMetadata() as { wrapper: InstanceWrapper }[] | undefined;
  return [...(params ?? []), ...(properties ?? []).map((property) => property.wrapper)];
}

/** The class; of a factory or a value, its token. */
function nameOf({ isNotMetatype, metatype, name }: InstanceWrapper): string {
  return isNotMetatype ? String(name) : String(metatype?.name);
}
