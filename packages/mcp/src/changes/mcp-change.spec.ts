import { isMcpChange } from './mcp-change.js';

const job = { type: 'extension', server: 's', extension: 'a/jobs', key: '7' };

describe('isMcpChange', () => {
  it.each<[string, object]>([
    ['tools', { type: 'tools', server: 's' }],
    ['prompts', { type: 'prompts', server: 's' }],
    ['resources', { type: 'resources', server: 's' }],
    ['a resource', { type: 'resource', server: 's', uri: 'a://a' }],
    ['a thing of an extension', job],
    ['a change with more to it', { ...job, at: 1 }],
  ])('takes a change of %s', (_, change) => {
    expect(isMcpChange(change)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['text', 'tools'],
    ['a list', [job]],
    ['another type', { type: 'jobs', server: 's' }],
    ['a type that every object knows', { type: 'constructor', server: 's' }],
    ['no server', { type: 'tools' }],
    ['a resource without a uri', { type: 'resource', server: 's' }],
    ['a thing without its extension', { ...job, extension: undefined }],
    ['a thing without its key', { ...job, key: undefined }],
    ['a thing whose key is no text', { ...job, key: 7 }],
    ['a thing without a server', { ...job, server: undefined }],
  ])('refuses %s', (_, value) => {
    expect(isMcpChange(value)).toBe(false);
  });
});
