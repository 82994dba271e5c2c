import { HandlerDefinitionException } from '../exceptions/index.js';
import { type HandlerHost, handlerSource } from './discovered-handler.js';

/** What a registry holds: something compiled from a handler. */
export interface Registered {
  readonly host: HandlerHost;
}

/** Holds the handlers of one kind by name or uri, in the order they were found. */
export class HandlerRegistry<E extends Registered> {
  private readonly entries = new Map<string, E>();

  /**
   * @param noun what the key is, for messages: `tool name`, `resource uri`
   * @param mend what helps when two handlers want one key
   */
  constructor(
    private readonly noun: string,
    private readonly mend = 'Give one of them another',
  ) {}

  /**
   * @param shown the key, as messages show it
   * @throws HandlerDefinitionException when the key is taken
   */
  add(key: string, entry: E, shown = `"${key}"`): void {
    const taken = this.entries.get(key);
    if (taken !== undefined) {
      const { classRef, methodName } = entry.host;
      const other = handlerSource(taken.host);
      throw new HandlerDefinitionException(
        classRef.name,
        methodName,
        `the ${this.noun} ${shown} is already taken by ${other}`,
        taken.host.classRef === classRef && taken.host.methodName === methodName
          ? 'Provide the class in one module only and export it from there'
          : this.mend,
      );
    }
    this.entries.set(key, entry);
  }

  get(key: string): E | undefined {
    return this.entries.get(key);
  }

  /** The entry that was there. */
  remove(key: string): E | undefined {
    const entry = this.entries.get(key);
    this.entries.delete(key);
    return entry;
  }

  get size(): number {
    return this.entries.size;
  }

  get values(): readonly E[] {
    return [...this.entries.values()];
  }
}
