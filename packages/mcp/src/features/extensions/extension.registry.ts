import { Injectable, Logger } from '@nestjs/common';
import type { McpChange } from '../../changes/index.js';
import { InvalidOptionsException } from '../../exceptions/index.js';
import type { JsonObject } from '../../protocol/index.js';
import type { McpExtension, McpExtensionTopic } from './mcp-extension.js';

/** A topic, and whose it is. */
export interface ExtensionTopic {
  readonly extension: string;
  readonly topic: McpExtensionTopic;
}

/** Holds the extensions of a server, and who listens for their changes. */
@Injectable()
export class ExtensionRegistry {
  private readonly logger = new Logger('McpExtension');
  private readonly extensions = new Map<string, McpExtension>();
  private readonly listeners = new Map<string, ((key: string) => void)[]>();

  /** @throws InvalidOptionsException when there is one of that name */
  add(extension: McpExtension): void {
    const { identifier } = extension;
    if (this.extensions.has(identifier)) {
      throw new InvalidOptionsException(
        'imports',
        `has the extension ${identifier} twice for one server`,
        'Import its module once for each server',
      );
    }
    this.extensions.set(identifier, extension);
  }

  get(identifier: string): McpExtension | undefined {
    return this.extensions.get(identifier);
  }

  /** What `server/discover` says; `undefined` where there are none. */
  get settings(): Readonly<Record<string, JsonObject>> | undefined {
    if (this.extensions.size === 0) return undefined;
    return Object.fromEntries(
      [...this.extensions].map(([identifier, { settings }]) => [identifier, settings]),
    );
  }

  get topics(): readonly ExtensionTopic[] {
    return [...this.extensions].flatMap(([extension, { topic }]) =>
      topic === undefined ? [] : [{ extension, topic }],
    );
  }

  /** Calls back when something of an extension has changed. */
  listen(extension: string, listener: (key: string) => void): void {
    this.listeners.set(extension, [...(this.listeners.get(extension) ?? []), listener]);
  }

  /** Tells listeners of a change that came over the bus; nothing is thrown at that. */
  tell({ extension, key }: Extract<McpChange, { type: 'extension' }>): void {
    for (const listener of this.listeners.get(extension) ?? []) {
      try {
        listener(key);
      } catch (error) {
        this.logger.error(error);
      }
    }
  }
}
