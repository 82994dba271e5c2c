import { HandlerDefinitionException } from '../exceptions/index.js';

/**
 * Nest needs the decorators TypeScript had first: standard (TC39) ones know neither the types nor the
 * parameters of a method. A compiler that was not told otherwise makes those, and calls every
 * decorator in another way.
 * @param member what the decorator got as its second argument: the name, or a context object
 * @throws HandlerDefinitionException
 */
export function refuseStandardDecorator(decorator: string, member: unknown): void {
  if (typeof member !== 'object' || member === null) return;
  const { name } = member as { name?: string | symbol };
  throw new HandlerDefinitionException(
    '(class)',
    String(name),
    `@${decorator}() is compiled as a standard decorator, which has no types and no parameter decorators`,
    'Turn on experimentalDecorators and emitDecoratorMetadata in tsconfig.json',
  );
}
