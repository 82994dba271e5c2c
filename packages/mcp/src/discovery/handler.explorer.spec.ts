import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import {
  extendTool,
  McpCompletion,
  McpHandler,
  McpPrompt,
  McpResource,
  McpTool,
} from '../decorators/index.js';
import { HandlerDefinitionException } from '../exceptions/index.js';
import { HandlerExplorer } from './handler.explorer.js';

const Job = (): MethodDecorator => extendTool('Job', 'a/jobs', { max: 1 });

async function explorerOf(...providers: Type<object>[]): Promise<HandlerExplorer> {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule],
    providers: [HandlerExplorer, ...providers],
  }).compile();
  return module.get(HandlerExplorer);
}

/** A class with one method, which has the decorators of a handler, if any, and `@Job()`. */
function jobOf(...decorators: MethodDecorator[]): Type<object> {
  @Injectable()
  class Bank {
    @Job()
    run(): string {
      return 'done';
    }
  }
  const { prototype } = Bank;
  const descriptor = Object.getOwnPropertyDescriptor(prototype, 'run') ?? {};
  for (const decorate of decorators) decorate(prototype, 'run', descriptor);
  return Bank;
}

const NO_TOOL = new HandlerDefinitionException(
  'Bank',
  'run',
  'it has @Job() and is no tool',
  'Decorate it with @McpTool(), or leave @Job() out',
);

describe('What is decorated for an extension', () => {
  it('is found with its tool', async () => {
    const explorer = await explorerOf(jobOf(McpTool()));
    expect(explorer.explore()).toMatchObject([
      {
        kind: 'tool',
        host: {
          methodName: 'run',
          extensions: [{ decorator: 'Job', extension: 'a/jobs', options: { max: 1 } }],
        },
      },
    ]);
  });

  it('may be a prompt as well', async () => {
    const explorer = await explorerOf(jobOf(McpTool(), McpPrompt()));
    expect(explorer.explore().map(({ kind }) => kind)).toEqual(['tool', 'prompt']);
  });

  it.each<[string, MethodDecorator[]]>([
    ['no handler', []],
    ['a prompt', [McpPrompt()]],
    ['a resource', [McpResource({ uri: 'a://a' })]],
    ['a completion', [McpCompletion({ prompt: 'p', argument: 'a' })]],
  ])('stops the boot where it is %s', async (_, decorators) => {
    const explorer = await explorerOf(jobOf(...decorators));
    expect(() => explorer.explore()).toThrow(HandlerDefinitionException);
    expect(() => explorer.explore()).toThrow(NO_TOOL);
  });

  it('is left to be a tool at run time, and nothing else', async () => {
    const Bank = jobOf(McpHandler());
    const explorer = await explorerOf(Bank);
    expect(explorer.explore()).toEqual([]);
    expect(explorer.locate('tool', Bank, 'run').extensions).toHaveLength(1);
    expect(() => explorer.locate('prompt', Bank, 'run')).toThrow(NO_TOOL);
    expect(() => explorer.locate('resource', Bank, 'run')).toThrow(NO_TOOL);
  });
});
