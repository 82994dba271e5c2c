import {
  BadGatewayException,
  BadRequestException,
  ForbiddenException,
  HttpException,
  NotFoundException,
  UnauthorizedException,
} from '@nestjs/common';
import {
  HandlerTimeoutException,
  HttpDenialException,
  InternalErrorException,
  InvalidArgumentsException,
  InvalidParamsException,
  type McpException,
  McpToolException,
  ResultTooLargeException,
} from '../exceptions/index.js';
import {
  httpExceptionMessage,
  intendedMessage,
  toDenial,
  toProtocolError,
  unexpectedMessage,
} from './call-errors.js';

const ARGUMENTS = new InvalidArgumentsException('open', [{ path: 'a', message: 'must be string' }]);

const TOO_LARGE = new ResultTooLargeException('open', 9);

/** What leaves the server. */
function wire(exception: McpException): unknown {
  return { httpStatus: exception.httpStatus, ...exception.toJsonRpcError() };
}

const INTERNAL = { httpStatus: 500, code: -32603, message: 'Internal error' };

describe('httpExceptionMessage', () => {
  it.each<[HttpException, string]>([
    [new ForbiddenException(), 'Forbidden'],
    [new ForbiddenException('Not yours'), 'Not yours'],
    [new HttpException('plain', 418), 'plain'],
    [new BadRequestException(['a must be x', 'b must be y']), 'a must be x; b must be y'],
    [new BadRequestException([]), ''],
    [new HttpException({ message: 'in an object', statusCode: 400 }, 400), 'in an object'],
    [new HttpException({ error: 'without words' }, 400), 'Http Exception'],
    [new UnauthorizedException('', 'described'), 'described'],
  ])('of %p is "%s"', (exception, message) => {
    expect(httpExceptionMessage(exception)).toBe(message);
  });

  it.each<[string, unknown]>([
    ['an object', { code: 1 }],
    ['a number', 5],
    ['null', null],
  ])('is text even when the message of the response is %s', (_, message) => {
    expect(typeof httpExceptionMessage(new HttpException({ message }, 400))).toBe('string');
  });
});

describe('toDenial', () => {
  it('keeps an error of the protocol', () => {
    const error = new InvalidParamsException('no');
    expect(toDenial(error)).toBe(error);
  });

  it.each<[HttpException, number, string]>([
    [new UnauthorizedException('Who are you?'), 401, 'Who are you?'],
    [new ForbiddenException(), 403, 'Forbidden'],
    [new HttpException('slow down', 429), 429, 'slow down'],
    [new BadGatewayException('later'), 502, 'later'],
  ])('keeps status and words of %p', (exception, status, message) => {
    const denial = toDenial(exception);
    expect(denial).toBeInstanceOf(HttpDenialException);
    expect(wire(denial)).toEqual({ httpStatus: status, code: status, message });
  });

  it.each<[string, unknown]>([
    ['an error', new Error('password is hunter2')],
    ['text', 'password is hunter2'],
    ['nothing', undefined],
    ['null', null],
    ['a tool error', new McpToolException('password is hunter2')],
  ])('masks %s', (_, error) => {
    expect(toDenial(error)).toBeInstanceOf(InternalErrorException);
    expect(wire(toDenial(error))).toEqual(INTERNAL);
  });
});

describe('intendedMessage', () => {
  it.each<[string, unknown, string | undefined]>([
    ['a tool error', new McpToolException('Sold out'), 'Sold out'],
    ['wrong arguments', ARGUMENTS, 'Invalid arguments for "open": a must be string.'],
    ['a result that is too large', TOO_LARGE, TOO_LARGE.message],
    [
      'a call that took too long',
      new HandlerTimeoutException('open', 5),
      '"open" did not finish within 5 ms. Try again later, or ask for less.',
    ],
    ['an HTTP error', new NotFoundException('No such account'), 'No such account'],
    ['an HTTP error of the server', new BadGatewayException('Bank is down'), 'Bank is down'],
    ['an error', new Error('secret'), undefined],
    ['an error that only looks like one', { message: 'x', status: 400 }, undefined],
    ['text', 'secret', undefined],
    ['nothing', undefined, undefined],
  ])('of %s', (_, error, message) => {
    expect(intendedMessage(error)).toBe(message);
  });
});

describe('toProtocolError', () => {
  const failed = (error: unknown, entered = true) => ({ type: 'failed', error, entered }) as const;

  it('keeps an error of the protocol, before and in the handler', () => {
    const error = new InvalidParamsException('no');
    expect(toProtocolError(failed(error), false)).toBe(error);
    expect(toProtocolError(failed(error, false), false)).toBe(error);
  });

  it('denies what never reached the handler', () => {
    expect(wire(toProtocolError(failed(new ForbiddenException(), false), false))).toEqual({
      httpStatus: 403,
      code: 403,
      message: 'Forbidden',
    });
    expect(wire(toProtocolError(failed(new Error('secret'), false), true))).toEqual(INTERNAL);
  });

  it.each<[string, unknown, string]>([
    ['wrong arguments', ARGUMENTS, 'Invalid arguments for "open": a must be string.'],
    ['a tool error', new McpToolException('Sold out'), 'Sold out'],
    ['an HTTP error of the caller', new BadRequestException('No such plan'), 'No such plan'],
  ])('blames the caller for %s, with data', (_, error, message) => {
    expect(wire(toProtocolError(failed(error), false))).toEqual({
      httpStatus: 400,
      code: -32602,
      message,
    });
    expect(wire(toProtocolError(failed(error), false, { uri: 'docs://a' }))).toEqual({
      httpStatus: 400,
      code: -32602,
      message,
      data: { uri: 'docs://a' },
    });
  });

  it('blames the server for an HTTP error of the server, without data', () => {
    expect(
      wire(toProtocolError(failed(new BadGatewayException('Bank is down')), false, { uri: 'x' })),
    ).toEqual({ httpStatus: 500, code: -32603, message: 'Bank is down' });
  });

  it.each<[string, unknown, string]>([
    ['an error', new Error('password is hunter2'), 'password is hunter2'],
    ['text', 'password is hunter2', 'password is hunter2'],
    ['nothing', undefined, 'undefined'],
  ])('masks %s, unless errors are exposed', (_, error, message) => {
    expect(wire(toProtocolError(failed(error), false))).toEqual(INTERNAL);
    expect(wire(toProtocolError(failed(error), true))).toEqual({ ...INTERNAL, message });
  });
});

describe('unexpectedMessage', () => {
  it.each<[unknown, string]>([
    [new Error('x'), 'x'],
    [new TypeError(''), ''],
    ['x', 'x'],
    [5, '5'],
    [undefined, 'undefined'],
    [null, 'null'],
    [Symbol('s'), 'Symbol(s)'],
    [{}, '[object Object]'],
  ])('of %p is "%s"', (error, message) => {
    expect(unexpectedMessage(error)).toBe(message);
  });

  it('does not fail over what cannot be made text', () => {
    expect(typeof unexpectedMessage(Object.create(null))).toBe('string');
  });
});
