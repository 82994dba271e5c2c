import {
  InvalidParamsException,
  UnsupportedProtocolVersionException,
} from '../exceptions/index.js';
import { type Envelope, readEnvelope } from './envelope.js';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const INFO = 'io.modelcontextprotocol/clientInfo';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

const META = { [VERSION]: '2026-07-28', [CAPABILITIES]: {} };

function read(rest: object = {}): Envelope {
  // As it travels, so that `undefined` leaves a member out.
  return readEnvelope(JSON.parse(JSON.stringify({ _meta: { ...META, ...rest } })) as never);
}

describe('the envelope of a request', () => {
  it('needs a version and capabilities only', () => {
    const envelope = read();
    expect(envelope.protocolVersion).toBe('2026-07-28');
    expect(envelope.meta).toEqual(META);
    expect(envelope.client.info).toBeUndefined();
    expect(envelope.client.capabilities).toEqual({});
  });

  it('carries everything else along', () => {
    const rest = {
      [INFO]: { name: 'client', version: '1', title: 'Client', other: 1 },
      [CAPABILITIES]: { elicitation: { form: {} }, extensions: { 'com.example/x': { a: 1 } } },
      [LOG_LEVEL]: 'warning',
      progressToken: 'p',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01',
      'com.example/any': [1],
    };
    const envelope = read(rest);
    expect(envelope.meta).toEqual({ ...META, ...rest });
    expect(envelope.client.info).toEqual(rest[INFO]);
    expect(envelope.client.capabilities).toEqual(rest[CAPABILITIES]);
    expect(envelope.client.supports('elicitation.form')).toBe(true);
  });

  it.each(['p', '', 0, 7, -7, Number.MAX_SAFE_INTEGER])(
    'takes the progress token %p',
    (progressToken) => {
      expect(read({ progressToken }).meta.progressToken).toBe(progressToken);
    },
  );

  it.each(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'])(
    'takes the log level %s',
    (level) => {
      expect(read({ [LOG_LEVEL]: level }).meta[LOG_LEVEL]).toBe(level);
    },
  );

  it.each<[unknown]>([
    [undefined],
    [{}],
    [{ _meta: undefined }],
    [{ _meta: null }],
    [{ _meta: [] }],
    [{ _meta: 'x' }],
    [{ meta: META }],
  ])('is missing in %j', (params) => {
    expect(() => readEnvelope(params as never)).toThrow(InvalidParamsException);
    expect(() => readEnvelope(params as never)).toThrow(
      new Error(`params._meta is missing. Send it with ${VERSION} and ${CAPABILITIES}.`),
    );
  });

  const IMPLEMENTATION = 'an object with a name and a version';
  const OBJECTS = 'an object whose members are objects';
  const TOKEN = 'a string or an integer';
  const LEVELS = 'one of debug, info, notice, warning, error, critical, alert, emergency';

  it.each<[string, unknown, string]>([
    [VERSION, undefined, 'a string'],
    [VERSION, null, 'a string'],
    [VERSION, 20260728, 'a string'],
    [INFO, null, IMPLEMENTATION],
    [INFO, 'client', IMPLEMENTATION],
    [INFO, {}, IMPLEMENTATION],
    [INFO, { name: 'client' }, IMPLEMENTATION],
    [INFO, { version: '1' }, IMPLEMENTATION],
    [INFO, { name: 'client', version: 1 }, IMPLEMENTATION],
    [INFO, [], IMPLEMENTATION],
    [CAPABILITIES, undefined, OBJECTS],
    [CAPABILITIES, null, OBJECTS],
    [CAPABILITIES, [], OBJECTS],
    [CAPABILITIES, 'elicitation', OBJECTS],
    [CAPABILITIES, { elicitation: true }, OBJECTS],
    [CAPABILITIES, { elicitation: null }, OBJECTS],
    [CAPABILITIES, { sampling: [] }, OBJECTS],
    [CAPABILITIES, { extensions: 'x' }, OBJECTS],
    ['progressToken', null, TOKEN],
    ['progressToken', 1.5, TOKEN],
    ['progressToken', true, TOKEN],
    ['progressToken', {}, TOKEN],
    ['progressToken', 2 ** 53, TOKEN],
    [LOG_LEVEL, 'loud', LEVELS],
    [LOG_LEVEL, null, LEVELS],
    [LOG_LEVEL, 3, LEVELS],
    [LOG_LEVEL, 'DEBUG', LEVELS],
  ])('is malformed when %s is %j', (key, value, expected) => {
    expect(() => read({ [key]: value })).toThrow(InvalidParamsException);
    expect(() => read({ [key]: value })).toThrow(
      new Error(`params._meta["${key}"] is missing or malformed: it must be ${expected}.`),
    );
  });

  it('is malformed when a capability hides behind __proto__', () => {
    const params = JSON.parse(
      `{"_meta":{"${VERSION}":"2026-07-28","${CAPABILITIES}":{"__proto__":1}}}`,
    ) as Record<string, unknown>;
    expect(() => readEnvelope(params)).toThrow(InvalidParamsException);
  });

  it.each(['2025-11-25', '2027-01-01', 'DRAFT-2026', '', ' 2026-07-28', '2026-07-28 '])(
    'is refused when it is of the revision "%s"',
    (version) => {
      const refuse = (): unknown => read({ [VERSION]: version });
      expect(refuse).toThrow(UnsupportedProtocolVersionException);
      expect(refuse).toThrow(`Unsupported protocol version ${JSON.stringify(version)}.`);
    },
  );

  it('is malformed before it is of another revision', () => {
    expect(() => read({ [VERSION]: '2025-11-25', [CAPABILITIES]: undefined })).toThrow(
      InvalidParamsException,
    );
  });
});
