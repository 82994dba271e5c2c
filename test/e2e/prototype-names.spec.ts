import { Injectable } from '@nestjs/common';
import { McpArg, McpArgs, McpPrompt, McpTool } from '@dacapo/mcp';
import { Type } from 'class-transformer';
import { IsArray, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { adapters } from '../support/adapters.js';
import { startServer, type TestServer } from '../support/test-server.js';
import { callTool, resultOf, send, textOf } from '../support/wire.js';

@Injectable()
class Prompts {
  @McpPrompt()
  odd(
    @McpArg('constructor', { required: false }) first?: string,
    @McpArg('toString', { required: false }) second?: string,
  ): string {
    return `${typeof first} ${typeof second}`;
  }
}

describe('Arguments with the names of what every object has', () => {
  it('are absent when they are not sent', async () => {
    const server = await startServer({ providers: [Prompts] });
    const result = resultOf(await send(server.url, 'prompts/get', { name: 'odd' }));
    expect(result).toMatchObject({ messages: [{ content: { text: 'undefined undefined' } }] });
    const given = { name: 'odd', arguments: { toString: 'x' } };
    expect(resultOf(await send(server.url, 'prompts/get', given))).toMatchObject({
      messages: [{ content: { text: 'undefined string' } }],
    });
    await server.close();
  });
});

class Label {
  @IsString()
  text!: string;

  @IsOptional()
  @IsObject()
  extra?: object;
}

class Free {
  @IsOptional()
  @IsObject()
  meta?: object;

  @IsOptional()
  @IsArray()
  list?: unknown[];

  @IsOptional()
  any?: unknown;

  @IsOptional()
  @ValidateNested()
  @Type(() => Label)
  label?: Label;
}

class Answer {
  @IsObject()
  meta!: object;
}

@Injectable()
class Tools {
  @McpTool({ output: Answer })
  echo(@McpArgs() args: Free): Answer {
    return { meta: Object.assign({}, args, { isLabel: args.label instanceof Label }) };
  }
}

describe.each(adapters)('Members of a DTO without a class on %s', (_name, adapter) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startServer({ adapter, providers: [Tools] });
  });

  afterAll(() => server.close());

  it.each([
    '{"meta":{"constructor":"x"}}',
    '{"meta":{"toString":"x","valueOf":null,"hasOwnProperty":3,"then":{},"prototype":1}}',
    '{"meta":{"constructor":{"name":"Array","prototype":{}}},"label":{"text":"x"}}',
    '{"list":[{"constructor":1,"a":{"constructor":2}},["toString",[null]]]}',
    '{"any":{"a":{"constructor":{"name":"x"}},"length":5,"size":1,"get":1}}',
    '{"label":{"text":"x","extra":{"constructor":[],"toString":{}}}}',
  ])('arrive as they were sent: %s', async (json) => {
    const sent = JSON.parse(json) as Record<string, unknown>;
    const called = await callTool(server.url, 'echo', sent);
    const meta = { ...sent, isLabel: 'label' in sent };
    expect(resultOf(called)).toMatchObject({ structuredContent: { meta } });
    expect(JSON.parse(textOf(called) ?? '')).toEqual({ meta });
    expect(server.logs.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('have no __proto__', async () => {
    const sent = JSON.parse('{"meta":{"__proto__":{"polluted":1},"k":1}}') as Record<
      string,
      unknown
    >;
    const called = await callTool(server.url, 'echo', sent);
    expect(JSON.parse(textOf(called) ?? '')).toEqual({ meta: { meta: { k: 1 }, isLabel: false } });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
