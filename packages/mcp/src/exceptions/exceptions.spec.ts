import { IntrinsicException } from '@nestjs/common';
import { EMPTY, EmptyError, firstValueFrom } from 'rxjs';
import { ErrorCode } from '../protocol/index.js';
import {
  ClientRefusalException,
  DuplicateRequestIdException,
  EmptyResultFilter,
  HandlerBusyException,
  HandlerDefinitionException,
  HeaderMismatchException,
  HttpDenialException,
  InternalErrorException,
  InvalidArgumentsException,
  InvalidAskException,
  InvalidFormException,
  InvalidOptionsException,
  InvalidParamsException,
  InvalidProgressException,
  InvalidRequestException,
  InvalidResultException,
  InvalidSecretException,
  LedgerMismatchException,
  LedgerMismatchFilter,
  McpException,
  McpToolException,
  MethodNotFoundException,
  MissingClientCapabilityException,
  MissingClientCapabilityFilter,
  MissingRequiredClientCapabilityException,
  OutsideHandlerException,
  ParseErrorException,
  RequestStateRejectedException,
  RequestStateRejectedFilter,
  ResourceNotFoundException,
  ResultTooLargeException,
  SessionNotFoundException,
  StateTooLargeException,
  TooManyInFlightException,
  TooManySessionsException,
  toRejection,
  UnsupportedProtocolVersionException,
} from './index.js';

const SECRET_ANSWER = { outcome: 'hunter2' };
const RECORDED = { kind: 'elicit', fingerprint: 'f1', label: 'Your "plan"?', ...SECRET_ANSWER };
const ATTEMPTED = { kind: 'elicit', fingerprint: 'f2', label: 'Your mail?' };
const MISMATCH = new LedgerMismatchException('open', 'elicit-1', 1, RECORDED, ATTEMPTED);

/** What `run` throws. */
function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('threw nothing');
}

describe('an error of the protocol', () => {
  it.each<[McpException, string, number, number, string, unknown]>([
    [
      new ParseErrorException('it is empty'),
      'ParseErrorException',
      -32700,
      400,
      'The message is not valid JSON: it is empty.',
      undefined,
    ],
    [
      new InvalidRequestException('params must be an object.'),
      'InvalidRequestException',
      -32600,
      400,
      'params must be an object.',
      undefined,
    ],
    [
      new InvalidRequestException('Too large.', 413),
      'InvalidRequestException',
      -32600,
      413,
      'Too large.',
      undefined,
    ],
    [
      new DuplicateRequestIdException('a'),
      'DuplicateRequestIdException',
      -32600,
      400,
      'A request with this id is in flight already. Give every request an id of its own.',
      { requestId: 'a' },
    ],
    ...(
      [
        [1, '1 time'],
        [2, '2 times'],
      ] as const
    ).map(([maxConcurrent, often]): [McpException, string, number, number, string, unknown] => [
      new HandlerBusyException('open', maxConcurrent),
      'HandlerBusyException',
      503,
      503,
      `"open" is busy: it already runs ${often}, as often as it may. Try again later.`,
      { maxConcurrent },
    ]),
    [
      new TooManyInFlightException(3),
      'TooManyInFlightException',
      503,
      503,
      '3 requests are in flight, as many as may be. Try again later.',
      { maxInFlight: 3 },
    ],
    [
      new MethodNotFoundException('tools/cull'),
      'MethodNotFoundException',
      -32601,
      404,
      'Method not found: tools/cull',
      undefined,
    ],
    [
      new InvalidParamsException('Unknown tool: open'),
      'InvalidParamsException',
      -32602,
      400,
      'Unknown tool: open',
      undefined,
    ],
    [
      new InvalidParamsException('Resource not found: docs://a', { uri: 'docs://a' }),
      'InvalidParamsException',
      -32602,
      400,
      'Resource not found: docs://a',
      { uri: 'docs://a' },
    ],
    [
      new InternalErrorException(),
      'InternalErrorException',
      -32603,
      500,
      'Internal error',
      undefined,
    ],
    [
      new InternalErrorException('Bank is down'),
      'InternalErrorException',
      -32603,
      500,
      'Bank is down',
      undefined,
    ],
    [
      new HeaderMismatchException('the Mcp-Name header is missing'),
      'HeaderMismatchException',
      -32020,
      400,
      'Header mismatch: the Mcp-Name header is missing',
      undefined,
    ],
    [
      new MissingRequiredClientCapabilityException('Needs forms.', { elicitation: { form: {} } }),
      'MissingRequiredClientCapabilityException',
      -32021,
      400,
      'Needs forms.',
      { requiredCapabilities: { elicitation: { form: {} } } },
    ],
    [
      new UnsupportedProtocolVersionException('2025-11-25'),
      'UnsupportedProtocolVersionException',
      -32022,
      400,
      'Unsupported protocol version "2025-11-25". This server speaks 2026-07-28: repeat the request with that ' +
        'version in the MCP-Protocol-Version header and in params._meta.',
      { supported: ['2026-07-28'], requested: '2025-11-25' },
    ],
    [
      new RequestStateRejectedException('state_expired', 'Too late. Start anew.'),
      'RequestStateRejectedException',
      -32602,
      400,
      'Too late. Start anew.',
      { reason: 'state_expired' },
    ],
    [
      new RequestStateRejectedException('answer_unknown', 'Nobody asked.', { key: 'a' }),
      'RequestStateRejectedException',
      -32602,
      400,
      'Nobody asked.',
      { reason: 'answer_unknown', key: 'a' },
    ],
    [
      new StateTooLargeException('open', 9, 5, { key: 'elicit-1', bytes: 7 }),
      'StateTooLargeException',
      -32603,
      500,
      'The request state of "open" would be 9 bytes, more than replay.maxStateBytes (5). ' +
        'Its heaviest entry is "elicit-1" with 7 bytes: ask for less there, or raise the limit.',
      { bytes: 9, maxStateBytes: 5, heaviest: { key: 'elicit-1', bytes: 7 } },
    ],
    [
      new ResultTooLargeException('export', 9),
      'ResultTooLargeException',
      -32603,
      500,
      '"export" returned more than maxResultBytes (9). ' +
        'Ask for less; the server may return a link to it, or raise the limit.',
      { maxResultBytes: 9 },
    ],
    [
      new HttpDenialException(403, 'Forbidden'),
      'HttpDenialException',
      403,
      403,
      'Forbidden',
      undefined,
    ],
    [
      new ClientRefusalException('Your "plan"?', 'the session has ended.'),
      'ClientRefusalException',
      -32600,
      400,
      'The question "Your \\"plan\\"?" has no answer: the session has ended.',
      { key: 'Your "plan"?' },
    ],
    [
      new SessionNotFoundException(),
      'SessionNotFoundException',
      -32001,
      404,
      'Session not found. It has ended or expired: send initialize to begin another.',
      undefined,
    ],
    [
      new TooManySessionsException(3),
      'TooManySessionsException',
      503,
      503,
      '3 sessions are open already, as many as may be. Try again later.',
      undefined,
    ],
    [
      new ResourceNotFoundException('docs://a'),
      'ResourceNotFoundException',
      -32602,
      400,
      'Resource not found: docs://a',
      { uri: 'docs://a' },
    ],
  ])('%p', (error, name, code, httpStatus, message, data) => {
    expect(error).toBeInstanceOf(McpException);
    // Nest logs every other error.
    expect(error).toBeInstanceOf(IntrinsicException);
    expect([error.name, error.httpStatus]).toEqual([name, httpStatus]);
    const sent = error.toJsonRpcError();
    expect(sent).toEqual({ code, message, ...(data !== undefined && { data }) });
    expect(Object.keys(sent)).toEqual(
      data === undefined ? ['code', 'message'] : ['code', 'message', 'data'],
    );
  });

  it.each([0, false, '', null])('sends the data %p, which is not nothing', (data) => {
    expect(new InvalidParamsException('x', data).toJsonRpcError()).toEqual({
      code: -32602,
      message: 'x',
      data,
    });
  });

  it.each([
    [401, { 'WWW-Authenticate': 'Bearer' }],
    [403, {}],
    [429, {}],
  ])('of a denial with %d has the headers %j', (status, headers) => {
    expect(new HttpDenialException(status, 'x').httpHeaders).toEqual(headers);
  });

  it.each([0, 200, 204, 302, 399, 600, 400.5, Number.NaN])(
    'counts a denial with the status %d, which is none, as a failure of the server',
    (status) => {
      const error = new HttpDenialException(status, 'x');
      expect([error.httpStatus, error.code]).toEqual([500, 500]);
    },
  );

  it.each([400, 599])('keeps the status %d of a denial', (status) => {
    expect(new HttpDenialException(status, 'x').httpStatus).toBe(status);
  });

  it('has no headers otherwise', () => {
    expect(new InternalErrorException().httpHeaders).toEqual({});
  });

  it('of too many sessions says when to try again', () => {
    expect(new TooManySessionsException(3).httpHeaders).toEqual({ 'Retry-After': '1' });
  });

  it('keeps the uri of a resource that is not found where code can read it', () => {
    expect(new ResourceNotFoundException('docs://a').uri).toBe('docs://a');
  });

  it('keeps the reason of a refusal where code can read it', () => {
    expect(new RequestStateRejectedException('state_tampered', 'x').reason).toBe('state_tampered');
  });

  it('has a code of its own for each failure', () => {
    expect(ErrorCode).toEqual({
      ParseError: -32700,
      InvalidRequest: -32600,
      MethodNotFound: -32601,
      InvalidParams: -32602,
      InternalError: -32603,
      HeaderMismatch: -32020,
      MissingRequiredClientCapability: -32021,
      UnsupportedProtocolVersion: -32022,
    });
  });
});

describe('a mistake of the author', () => {
  it.each<[Error, string, string]>([
    [
      new HandlerDefinitionException('Bank', 'open', 'its name is taken', 'Give it another'),
      'HandlerDefinitionException',
      'Bank.open: its name is taken. Give it another.',
    ],
    [
      new InvalidOptionsException('http.keepAliveMs', 'is -1', 'Give an integer of at least 0'),
      'InvalidOptionsException',
      'McpModule option http.keepAliveMs is -1. Give an integer of at least 0.',
    ],
    [
      new InvalidOptionsException('ttl', 'is no option', 'Leave it out', 'McpTasksModule'),
      'InvalidOptionsException',
      'McpTasksModule option ttl is no option. Leave it out.',
    ],
    [
      new InvalidSecretException('', 'is not base64'),
      'InvalidSecretException',
      'replay.secret is not base64. Give 32 random bytes in base64, made for example with: ' +
        `node -e "console.log(require('node:crypto').randomBytes(32).toString('base64'))"`,
    ],
    [
      new InvalidSecretException('[1]', 'is empty'),
      'InvalidSecretException',
      'replay.secret[1] is empty. Give 32 random bytes in base64, made for example with: ' +
        `node -e "console.log(require('node:crypto').randomBytes(32).toString('base64'))"`,
    ],
    [
      new InvalidFormException('plan', 'it offers no choices', 'Give at least one value'),
      'InvalidFormException',
      'Invalid form property "plan": it offers no choices. Give at least one value.',
    ],
    [
      new InvalidFormException('', 'it has no properties', 'Ask for at least one'),
      'InvalidFormException',
      'Invalid form: it has no properties. Ask for at least one.',
    ],
    [
      new InvalidAskException(
        'A question has no message',
        'Say what the user is asked for, and why',
      ),
      'InvalidAskException',
      'A question has no message. Say what the user is asked for, and why.',
    ],
    [
      new InvalidProgressException('NaN is not a number', 'Report finite numbers'),
      'InvalidProgressException',
      'Invalid progress: NaN is not a number. Report finite numbers.',
    ],
    [
      new InvalidResultException('open', 'JSON has no function'),
      'InvalidResultException',
      '"open" returned a value that cannot be sent: JSON has no function.',
    ],
    [
      new InvalidResultException('open', 'n is a bigint', 'Return it as text'),
      'InvalidResultException',
      '"open" returned a value that cannot be sent: n is a bigint. Return it as text.',
    ],
    [
      new OutsideHandlerException('elicit()', 'where no handler is running'),
      'OutsideHandlerException',
      'elicit() was called where no handler is running. Call it within the awaited flow of a running ' +
        '@McpTool, @McpPrompt or @McpResource method, and await it.',
    ],
  ])('%p is logged, and names the mend', (error, name, message) => {
    expect(error).not.toBeInstanceOf(IntrinsicException);
    expect([error.name, error.message]).toEqual([name, message]);
  });

  it('in a form names the property where code can read it', () => {
    expect(new InvalidFormException('plan', 'x', 'y').property).toBe('plan');
  });
});

describe('McpToolException', () => {
  it('has a message, and nothing else unless it is given', () => {
    const error = new McpToolException('Sold out');
    expect(error).toBeInstanceOf(IntrinsicException);
    expect([error.name, error.message, error.content]).toEqual([
      'McpToolException',
      'Sold out',
      [],
    ]);
    expect(error).not.toHaveProperty('structuredContent');
    expect(error).not.toHaveProperty('cause');
  });

  it('carries blocks, details and the cause', () => {
    const cause = new Error('db');
    const content = [{ type: 'text', text: 'Try tomorrow' } as const];
    const error = new McpToolException('Sold out', { content, structuredContent: null, cause });
    expect(error).toMatchObject({ content, structuredContent: null });
    expect(error.cause).toBe(cause);
  });
});

describe('InvalidArgumentsException', () => {
  it('names every problem by its path', () => {
    const problems = [
      { path: '', message: 'must be object' },
      { path: 'a.0.b', message: 'must be string' },
    ];
    const error = new InvalidArgumentsException('open', problems);
    expect(error).toBeInstanceOf(IntrinsicException);
    expect(error).toMatchObject({ name: 'InvalidArgumentsException', handler: 'open', problems });
    expect(error.message).toBe(
      'Invalid arguments for "open": must be object; a.0.b must be string.',
    );
  });
});

describe('a missing capability', () => {
  const missing = new MissingClientCapabilityException('elicitation (form mode)', {
    elicitation: { form: {} },
  });

  it('can be caught by the handler', () => {
    expect(missing).toBeInstanceOf(IntrinsicException);
    expect(missing).not.toBeInstanceOf(McpException);
    expect(missing).toMatchObject({
      name: 'MissingClientCapabilityException',
      what: 'elicitation (form mode)',
      requiredCapabilities: { elicitation: { form: {} } },
      message:
        'This call needs elicitation (form mode), which the client did not declare in its capabilities. ' +
        'Declare it in params._meta["io.modelcontextprotocol/clientCapabilities"] and repeat the call.',
    });
  });

  it('says where extensions are declared, when nothing else is missing', () => {
    const place = 'params._meta["io.modelcontextprotocol/clientCapabilities"]';
    const extensions = { 'a/jobs': {} };
    const only = new MissingClientCapabilityException('the extension a/jobs', { extensions });
    expect(only.message).toContain(`Declare it in ${place}.extensions and`);
    const both = new MissingClientCapabilityException('both', { extensions, roots: {} });
    expect(both.message).toContain(`Declare it in ${place} and`);
  });

  it('leaves the server as -32021 when it is not', () => {
    const error = thrown(() => new MissingClientCapabilityFilter().catch(missing));
    expect(error).toBeInstanceOf(MissingRequiredClientCapabilityException);
    expect((error as McpException).toJsonRpcError()).toEqual({
      code: -32021,
      message: missing.message,
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
  });
});

describe('a ledger mismatch', () => {
  const message =
    'Replay mismatch in "open" at entry #1 (key "elicit-1"): the ledger holds elicit "Your \\"plan\\"?", the handler ' +
    'now has elicit "Your mail?". The idempotency contract: played again with the same answers, a handler must ask ' +
    'the same questions in the same order. Start the call anew, without any requestState.';
  const recorded = { kind: 'elicit', fingerprint: 'f1', label: 'Your "plan"?' };

  it('says what was recorded, what was asked, and what a handler owes', () => {
    expect(MISMATCH).toBeInstanceOf(IntrinsicException);
    expect(MISMATCH.message).toBe(message);
    expect(MISMATCH).toMatchObject({
      name: 'LedgerMismatchException',
      handler: 'open',
      key: 'elicit-1',
      position: 1,
      recorded,
      attempted: ATTEMPTED,
    });
  });

  it('never carries an answer', () => {
    expect(MISMATCH.recorded).toEqual(recorded);
    expect(JSON.stringify([MISMATCH, toRejection(MISMATCH).toJsonRpcError()])).not.toContain(
      'hunter2',
    );
  });

  it('leaves the server as a refusal with both questions', () => {
    const error = thrown(() => new LedgerMismatchFilter().catch(MISMATCH));
    expect(error).toBeInstanceOf(RequestStateRejectedException);
    expect((error as McpException).toJsonRpcError()).toEqual({
      code: -32602,
      message,
      data: {
        reason: 'ledger_mismatch',
        key: 'elicit-1',
        position: 1,
        recorded,
        attempted: ATTEMPTED,
      },
    });
  });
});

describe('a filter that only keeps others away', () => {
  it('throws the refusal it was given', () => {
    const refusal = new RequestStateRejectedException('state_expired', 'x');
    expect(thrown(() => new RequestStateRejectedFilter().catch(refusal))).toBe(refusal);
  });

  it('throws the empty result it was given', async () => {
    const empty: unknown = await firstValueFrom(EMPTY).catch((error: unknown) => error);
    expect(empty).toBeInstanceOf(EmptyError);
    expect(thrown(() => new EmptyResultFilter().catch(empty as EmptyError))).toBe(empty);
  });
});
