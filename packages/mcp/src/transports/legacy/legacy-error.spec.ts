import {
  ClientRefusalException,
  HttpDenialException,
  InvalidParamsException,
  type McpException,
  MissingRequiredClientCapabilityException,
  ResourceNotFoundException,
  UnsupportedProtocolVersionException,
} from '../../exceptions/index.js';
import { legacyError, legacyStatus } from './legacy-error.js';

const MISSING = new MissingRequiredClientCapabilityException('Declare it in params._meta.', {
  elicitation: { form: {} },
});

describe('an error for a client of an earlier revision', () => {
  it.each<[McpException, boolean]>([
    [new InvalidParamsException('Unknown tool: open'), true],
    [new InvalidParamsException('Unknown tool: open', { tool: 'open' }), false],
    [new ClientRefusalException('a', 'the session has ended.'), true],
    [new UnsupportedProtocolVersionException('2024-11-05'), false],
  ])('%p is what it is for all', (exception, isSession) => {
    expect(legacyError(exception, isSession)).toEqual(exception.toJsonRpcError());
  });

  it.each([true, false])(
    'has the code of its own for a resource that is not found (in a session: %p)',
    (isSession) => {
      expect(legacyError(new ResourceNotFoundException('docs://a'), isSession)).toEqual({
        code: -32002,
        message: 'Resource not found: docs://a',
        data: { uri: 'docs://a' },
      });
    },
  );

  it('says in a session where the missing capability is to be declared', () => {
    expect(legacyError(MISSING, true)).toEqual({
      code: -32600,
      message:
        'This call needs {"elicitation":{"form":{}}} of its client, which has not declared that in the ' +
        'capabilities of initialize.',
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
  });

  it('says without a session which option lets the client be asked', () => {
    expect(legacyError(MISSING, false)).toEqual({
      code: -32600,
      message:
        'This call needs {"elicitation":{"form":{}}} of its client, and this server cannot ask clients of ' +
        "earlier revisions: it keeps no sessions for them. Set legacy: 'sessions' in McpModule.forRoot(), " +
        'or use a client of 2026-07-28.',
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
  });

  it('leaves out data of the application that is not JSON', () => {
    expect(legacyError(new InvalidParamsException('x', { n: 5n }), true)).toStrictEqual({
      code: -32602,
      message: 'x',
    });
  });
});

describe('the HTTP status of an error for a client of an earlier revision', () => {
  it.each([401, 403, 429, 500])('is that of a denial with %d', (status) => {
    expect(legacyStatus(new HttpDenialException(status, 'x'))).toBe(status);
  });

  it.each([new InvalidParamsException('x'), new ResourceNotFoundException('docs://a'), MISSING])(
    'is 200 for %p, so that it is read',
    (exception) => {
      expect(legacyStatus(exception)).toBe(200);
    },
  );
});
