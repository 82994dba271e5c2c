import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../apps/conformance/src/app.module.js';
import { readEnvironment } from '../../apps/conformance/src/environment.js';
import { adapters } from '../support/adapters.js';
import { connect } from '../support/official-client.js';
import { SECRET } from '../support/test-server.js';
import { callTool, errorOf, resultOf, send, stateOf, textOf } from '../support/wire.js';

const yes = { action: 'accept', content: { ok: true } };

describe.each(adapters)('The conformance app on %s', (_, adapter) => {
  let close: () => Promise<void>;
  let url: string;

  beforeAll(async () => {
    const { replay } = readEnvironment({ DACAPO_SECRET: SECRET });
    const app = await NestFactory.create(AppModule.forRoot(replay), adapter(), { logger: false });
    await app.listen(0, '127.0.0.1');
    url = `${await app.getUrl()}/mcp`;
    close = () => app.close();
  });
  afterAll(() => close());

  it('lists the tool that succeeds without arguments first', async () => {
    const { tools } = resultOf(await send(url, 'tools/list')) as unknown as {
      tools: { name: string; description?: string }[];
    };
    expect(tools[0]?.name).toBe('test_simple_text');
    expect(tools.every(({ description }) => description !== undefined)).toBe(true);
  });

  it('plays the official client through two questions', async () => {
    const client = await connect(url, {
      answer: (message) =>
        message.includes('name')
          ? { action: 'accept', content: { name: 'Alice' } }
          : { action: 'accept', content: { color: 'blue' } },
    });
    const { content } = await client.callTool({
      name: 'test_input_required_result_multi_round',
      arguments: {},
    });
    expect(content).toEqual([{ type: 'text', text: 'Alice likes blue' }]);
    await client.close();
  });

  it('completes an argument of a prompt for the official client', async () => {
    const client = await connect(url);
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
      argument: { name: 'arg1', value: 'test' },
    });
    expect(completion).toMatchObject({ values: ['test value', 'testing'], total: 2 });
    await client.close();
  });

  it('asks the official client for what a prompt needs', async () => {
    const client = await connect(url, {
      answer: () => ({ action: 'accept', content: { context: 'testing' } }),
    });
    const { messages } = await client.getPrompt({ name: 'test_input_required_result_prompt' });
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Consider this context: testing' } },
    ]);
    await client.close();
  });

  it('sends progress, and bytes that are what they say, to the official client', async () => {
    const client = await connect(url);
    const seen: number[] = [];
    await client.callTool(
      { name: 'test_tool_with_progress' },
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    expect(seen).toEqual([0, 50, 100]);

    const { contents } = await client.readResource({ uri: 'test://static-binary' });
    const { blob } = contents[0] as { blob: string };
    expect(Buffer.from(blob, 'base64').subarray(1, 4).toString()).toBe('PNG');
    const { content } = await client.callTool({ name: 'test_audio_content' });
    const wav = Buffer.from((content as { data: string }[])[0]?.data ?? '', 'base64');
    expect(wav.subarray(0, 4).toString()).toBe('RIFF');
    expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
    await client.close();
  });

  it('needs a client that samples, and says so', async () => {
    expect(errorOf(await callTool(url, 'test_missing_capability'))).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { sampling: {} } },
    });
  });

  it('takes a named answer before it has asked, and ignores what it did not ask', async () => {
    const response = await callTool(
      url,
      'test_input_required_result_elicitation',
      {},
      {
        inputResponses: {
          user_name: { action: 'accept', content: { name: 'Alice' } },
          unknown: { action: 'cancel' },
        },
      },
    );
    expect(textOf(response)).toBe('Hello, Alice!');
  });

  it('offers choices in every way there is, the deprecated one too, and takes them', async () => {
    const name = 'test_elicitation_sep1330_enums';
    const titles = ['First Choice', 'Second Choice', 'Third Choice'].map((title, at) => ({
      const: `value${at + 1}`,
      title,
    }));
    const plain = ['option1', 'option2', 'option3'];
    const asked = await callTool(url, name);
    expect(resultOf(asked).inputRequests?.['elicit-1']?.params).toHaveProperty(
      'requestedSchema.properties',
      {
        untitledSingle: { type: 'string', enum: plain },
        titledSingle: { type: 'string', oneOf: titles },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: { type: 'string', enum: plain } },
        titledMulti: { type: 'array', items: { anyOf: titles } },
      },
    );
    const content = {
      untitledSingle: 'option1',
      titledSingle: 'value1',
      legacyEnum: 'opt1',
      untitledMulti: ['option1', 'option2'],
      titledMulti: ['value1', 'value2'],
    };
    const answered = await callTool(
      url,
      name,
      {},
      {
        requestState: stateOf(asked),
        inputResponses: { 'elicit-1': { action: 'accept', content } },
      },
    );
    expect(textOf(answered)).toBe(
      `User response: ${JSON.stringify({ action: 'accept', content })}`,
    );
  });

  it('binds state to the principal of the x-principal header', async () => {
    const name = 'test_input_required_result_request_state';
    const requestState = stateOf(
      await callTool(url, name, {}, {}, { headers: { 'x-principal': 'ada' } }),
    );
    const retry = (principal?: string): ReturnType<typeof callTool> =>
      callTool(
        url,
        name,
        {},
        { requestState, inputResponses: { confirm: yes } },
        { headers: { 'x-principal': principal } },
      );
    expect(errorOf(await retry('eve')).data).toEqual({ reason: 'principal_mismatch' });
    expect(errorOf(await retry()).data).toEqual({ reason: 'principal_mismatch' });
    expect(textOf(await retry('ada'))).toBe('state-ok');
  });
});

describe('The environment of the conformance app', () => {
  it('has defaults', () => {
    expect(readEnvironment({})).toEqual({
      port: 3001,
      adapter: 'fastify',
      replay: { answers: 'lenient' },
    });
  });

  it('is read', () => {
    const env = {
      PORT: '4000',
      ADAPTER: 'express',
      DACAPO_SECRET: SECRET,
      DACAPO_TTL_MS: '1000',
      DACAPO_ANSWERS: 'strict',
    };
    expect(readEnvironment(env)).toEqual({
      port: 4000,
      adapter: 'express',
      replay: { answers: 'strict', secret: SECRET, ttlMs: 1000 },
    });
  });

  it.each([
    ['PORT', 'x'],
    ['ADAPTER', 'koa'],
    ['DACAPO_ANSWERS', 'any'],
    ['DACAPO_TTL_MS', '-1'],
  ])('is refused by name: %s', (name, value) => {
    expect(() => readEnvironment({ [name]: value })).toThrow(`${name} is "${value}"`);
  });
});
