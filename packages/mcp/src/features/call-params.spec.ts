import { InvalidParamsException } from '../exceptions/index.js';
import { callRequest } from './call-params.js';

describe('callRequest', () => {
  it('reads what a tool call needs', () => {
    expect(
      callRequest('tools/call', 'name', {
        name: 'open',
        arguments: { a: 1 },
        inputResponses: { 'elicit-1': { action: 'accept' } },
        requestState: 'token',
        _meta: {},
      }),
    ).toEqual({
      method: 'tools/call',
      target: 'open',
      arguments: { a: 1 },
      inputResponses: { 'elicit-1': { action: 'accept' } },
      requestState: 'token',
    });
  });

  it('reads the uri of a resource, which has no arguments', () => {
    expect(callRequest('resources/read', 'uri', { uri: 'docs://a', name: 'x' })).toEqual({
      method: 'resources/read',
      target: 'docs://a',
      arguments: {},
      inputResponses: undefined,
      requestState: undefined,
    });
  });

  it('leaves state and answers to the engine, whatever they are', () => {
    const { inputResponses, requestState } = callRequest('prompts/get', 'name', {
      name: 'plan',
      inputResponses: 5,
      requestState: null,
    });
    expect([inputResponses, requestState]).toEqual([5, null]);
  });

  it('takes an empty name for a name', () => {
    expect(callRequest('tools/call', 'name', { name: '' }).target).toBe('');
  });

  it('gives each call arguments of its own', () => {
    const first = callRequest('tools/call', 'name', { name: 'a' });
    first.arguments['changed'] = true;
    expect(callRequest('tools/call', 'name', { name: 'a' }).arguments).toEqual({});
  });

  it.each([
    ['tools/call', 'name', {}, 'params.name must be a string.'],
    ['tools/call', 'name', { name: 1 }, 'params.name must be a string.'],
    ['tools/call', 'name', { name: null }, 'params.name must be a string.'],
    ['tools/call', 'name', { uri: 'x' }, 'params.name must be a string.'],
    ['resources/read', 'uri', { name: 'x' }, 'params.uri must be a string.'],
    ['resources/read', 'uri', { uri: ['x'] }, 'params.uri must be a string.'],
    ['tools/call', 'name', { name: 'x', arguments: null }, 'params.arguments must be an object.'],
    ['tools/call', 'name', { name: 'x', arguments: [] }, 'params.arguments must be an object.'],
    ['prompts/get', 'name', { name: 'x', arguments: '{}' }, 'params.arguments must be an object.'],
  ] as const)('refuses %s with %s in %j', (method, member, params, message) => {
    expect(() => callRequest(method, member, params)).toThrow(InvalidParamsException);
    expect(() => callRequest(method, member, params)).toThrow(new Error(message));
  });
});
