import { McpParamtype } from '../decorators/index.js';
import type { HandlerHost } from '../discovery/index.js';
import type { HandlerDefinitionException } from '../exceptions/index.js';
import { isDto } from '../schema/index.js';
import { definitionError } from './argument-schema.js';

/** What TypeScript tells of interfaces, unions, types that are imported as types, and primitives. */
const NAMELESS: readonly unknown[] = [Object, Function, String, Number, Boolean, Array];

/** The name of the class of the `@McpArgs()` parameter, when nobody has made a DTO of it. */
export function undecoratedArgs(host: HandlerHost): string | undefined {
  const type = argsType(host);
  if (typeof type !== 'function' || NAMELESS.includes(type) || isDto(type)) return undefined;
  return type.name;
}

/**
 * Nothing says what the `@McpArgs()` parameter accepts.
 * @param instead what helps without a DTO, for the mend
 */
export function unknownArguments(host: HandlerHost, instead: string): HandlerDefinitionException {
  const fact = 'nothing says what @McpArgs() accepts';
  if (argsType(host) === undefined) {
    return definitionError(
      host,
      `${fact}: its parameters have no types at run time`,
      `Turn on emitDecoratorMetadata (tsx and esbuild do not emit it), or ${instead}`,
    );
  }
  const undecorated = undecoratedArgs(host);
  return undecorated === undefined
    ? definitionError(host, fact, `Type the parameter with a class-validator DTO, or ${instead}`)
    : definitionError(
        host,
        `${fact}: the class ${undecorated} has no class-validator decorators`,
        `Decorate its properties, or ${instead}`,
      );
}

function argsType(host: HandlerHost): unknown {
  return host.params.find(({ paramtype }) => paramtype === McpParamtype.Args)?.type;
}
