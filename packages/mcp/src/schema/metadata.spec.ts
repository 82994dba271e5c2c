import {
  annotationsFault,
  iconsFault,
  type MetadataFault,
  metaFault,
  sizeFault,
  toolAnnotationsFault,
} from './metadata.js';

type Check = (value: unknown) => MetadataFault | undefined;

const icon = (rest: object): unknown => [{ src: 'https://example.com/a.png', ...rest }];

describe('Metadata', () => {
  it.each<[string, Check, unknown]>([
    ['no icons', iconsFault, []],
    ['an icon', iconsFault, icon({})],
    ['an icon of data', iconsFault, [{ src: 'data:image/png;base64,AA==' }]],
    [
      'an icon with everything',
      iconsFault,
      icon({ mimeType: 'image/png', sizes: ['48x48', 'any'], theme: 'dark' }),
    ],
    ['no annotations', annotationsFault, {}],
    ['an audience', annotationsFault, { audience: ['user', 'assistant'] }],
    ['the least priority', annotationsFault, { priority: 0 }],
    ['the most priority', annotationsFault, { priority: 1 }],
    ['a moment', annotationsFault, { lastModified: '2025-01-12T15:00:58Z' }],
    [
      'a moment with an offset',
      annotationsFault,
      { lastModified: '2025-01-12T15:00:58.123+02:00' },
    ],
    ['a day', annotationsFault, { lastModified: '2024-02-29' }],
    ['no hints', toolAnnotationsFault, {}],
    [
      'hints',
      toolAnnotationsFault,
      {
        title: 'x',
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    ],
    ['no meta', metaFault, {}],
    [
      'meta',
      metaFault,
      {
        a: 1,
        'a-b_c.d': 1,
        'com.example/a': { b: [null] },
        'x-y.z2/': 1,
        'io.modelcontextprotocol/ui': 1,
      },
    ],
    ['no bytes', sizeFault, 0],
    ['bytes', sizeFault, 1024],
  ])('may be %s', (_, check, value) => {
    expect(check(value)).toBeUndefined();
  });

  it.each(
    (
      [
        [iconsFault, { src: 'https://example.com/a.png' }, 'its icons are no list'],
        [iconsFault, [null], 'an icon has no src'],
        [iconsFault, [{}], 'an icon has no src'],
        [iconsFault, [{ src: 5 }], 'an icon has no src'],
        ...[
          '',
          'a.png',
          '//example.com/a.png',
          'http://example.com/a.png',
          'javascript:alert(1)',
          'file:///etc/passwd',
          'ftp://example.com/a.png',
          'ws://example.com',
        ].map((src): [Check, unknown, string] => [
          iconsFault,
          [{ src: 'https://example.com/a.png' }, { src }],
          `the src of an icon is ${JSON.stringify(src)}, which clients must not show`,
        ]),
        [iconsFault, icon({ mimeType: 5 }), 'the mimeType of an icon is no text'],
        [iconsFault, icon({ sizes: '48x48' }), 'the sizes of an icon are "48x48"'],
        [iconsFault, icon({ sizes: ['48'] }), 'the sizes of an icon are ["48"]'],
        [iconsFault, icon({ sizes: ['0x48'] }), 'the sizes of an icon are ["0x48"]'],
        [iconsFault, icon({ theme: 'blue' }), 'the theme of an icon is "blue"'],
        [annotationsFault, null, 'its annotations are no object'],
        [annotationsFault, ['user'], 'its annotations are no object'],
        [annotationsFault, { audience: 'user' }, 'its audience is "user"'],
        [annotationsFault, { audience: ['system'] }, 'its audience is ["system"]'],
        ...[-0.1, 1.1, Number.NaN, Infinity].map((priority): [Check, unknown, string] => [
          annotationsFault,
          { priority },
          `its priority is ${priority}`,
        ]),
        [annotationsFault, { priority: '1' }, 'its priority is "1"'],
        [annotationsFault, { priority: 1n }, 'its priority is bigint'],
        ...[
          'yesterday',
          '',
          '2025',
          '2025-13-01',
          '2025-02-30',
          '2025-00-10',
          '2025-01-12 15:00',
          '2025-01-12T25:00:00Z',
          '2025-01-12T15:60:00Z',
          'Sun, 12 Jan 2025 15:00:58 GMT',
          '2025-01-12T15:00:58Z ',
        ].map((lastModified): [Check, unknown, string] => [
          annotationsFault,
          { lastModified },
          `its lastModified is ${JSON.stringify(lastModified)}`,
        ]),
        [annotationsFault, { lastModified: 1_700_000_000 }, 'its lastModified is 1700000000'],
        [toolAnnotationsFault, true, 'its annotations are no object'],
        [toolAnnotationsFault, { title: 5 }, 'the title of its annotations is no text'],
        [toolAnnotationsFault, { readOnlyHint: 'yes' }, 'its readOnlyHint is "yes"'],
        [toolAnnotationsFault, { openWorldHint: null }, 'its openWorldHint is null'],
        [metaFault, [], 'its meta is no object'],
        ...['a b', '-a', 'a-', '1a/b', 'com..example/a', 'a/b/c', '/a', 'größe'].map(
          (key): [Check, unknown, string] => [
            metaFault,
            { [key]: 1 },
            `its meta has the key ${JSON.stringify(key)}`,
          ],
        ),
        [metaFault, { a: 1n }, 'its meta is not JSON (Do not know how to serialize a BigInt)'],
        ...[-1, 1.5, Number.NaN, 2 ** 53].map((size): [Check, unknown, string] => [
          sizeFault,
          size,
          `its size is ${size}`,
        ]),
        [sizeFault, '5', 'its size is "5"'],
      ] as [Check, unknown, string][]
    ).map(([check, value, fact]) => [fact, check, value] as const),
  )('may not be: %s', (fact, check, value) => {
    expect(check(value)?.fact).toBe(fact);
    expect(check(value)?.mend).toMatch(/^(Give|Use|Name) /);
  });

  it('is not repeated whole when it is long or no JSON', () => {
    expect(sizeFault('x'.repeat(1_000))?.fact).toHaveLength('its size is '.length + 81);
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    expect(sizeFault(circular)?.fact).toBe('its size is an object that is not JSON');
  });
});
