import { HandlerDefinitionException } from '../exceptions/index.js';
import { MCP_TOOL_EXTENSIONS_METADATA } from '../mcp.constants.js';
import { refuseStandardDecorator } from './standard-decorator.js';

/** What a decorator of an extension says of a tool. */
export interface ToolExtensionOptions {
  /** Name of the decorator, for messages. */
  readonly decorator: string;
  /** Identifier of the extension. */
  readonly extension: string;
  readonly options: unknown;
}

/**
 * For extensions: makes the decorator of a tool that the extension has to do with. The boot stops where the
 * method is no tool, or where its server does not have the extension.
 * @param decorator its name, without `@`
 * @param extension identifier of the extension, whose `extendTool()` is given the options
 */
export function extendTool(
  decorator: string,
  extension: string,
  options: unknown,
): MethodDecorator {
  return (target, methodName, descriptor) => {
    refuseStandardDecorator(decorator, methodName);
    const method = descriptor.value as object;
    const others = (Reflect.getOwnMetadata(MCP_TOOL_EXTENSIONS_METADATA, method) ??
      []) as readonly ToolExtensionOptions[];
    if (others.some((other) => other.extension === extension)) {
      throw new HandlerDefinitionException(
        target.constructor.name,
        String(methodName),
        `@${decorator}() is on it twice, and one of them would be lost`,
        'Leave one out',
      );
    }
    const own: ToolExtensionOptions = { decorator, extension, options };
    Reflect.defineMetadata(MCP_TOOL_EXTENSIONS_METADATA, [...others, own], method);
  };
}
