import type { ClientCapabilities } from '../protocol/index.js';

/** A capability, by its path in the capabilities object. */
export type ClientFeature =
  | 'elicitation'
  | 'elicitation.form'
  | 'elicitation.url'
  | 'sampling'
  | 'sampling.context'
  | 'sampling.tools'
  | 'roots'
  | `extensions.${string}`;

const EXTENSION_PREFIX = 'extensions.';

/** What a client that can do everything by its own name is called in messages. */
const WORDS: Readonly<Record<Exclude<ClientFeature, `extensions.${string}`>, string>> = {
  elicitation: 'elicitation',
  'elicitation.form': 'elicitation (form mode)',
  'elicitation.url': 'elicitation (url mode)',
  sampling: 'sampling',
  'sampling.context': 'sampling with context',
  'sampling.tools': 'sampling with tools',
  roots: 'roots',
};

/** The words of {@link isClientFeature}, for messages. */
export const CLIENT_FEATURES: readonly string[] = [
  ...Object.keys(WORDS),
  `${EXTENSION_PREFIX}<identifier>`,
];

export function isClientFeature(text: unknown): text is ClientFeature {
  return (
    typeof text === 'string' &&
    (Object.hasOwn(WORDS, text) ||
      (text.startsWith(EXTENSION_PREFIX) && text.length > EXTENSION_PREFIX.length))
  );
}

/** The identifier of `extensions.<identifier>`; `undefined` for a capability of the protocol. */
export function extensionOf(feature: ClientFeature): string | undefined {
  return feature.startsWith(EXTENSION_PREFIX) ? feature.slice(EXTENSION_PREFIX.length) : undefined;
}

/** What a feature is called. */
export function featureWords(feature: ClientFeature): string {
  const extension = extensionOf(feature);
  return extension === undefined
    ? WORDS[feature as keyof typeof WORDS]
    : `the extension ${extension}`;
}

/** The smallest capabilities object that declares all of the features. */
export function capabilitiesWith(features: readonly ClientFeature[]): ClientCapabilities {
  const capabilities: Record<string, Record<string, object>> = {};
  for (const feature of features) {
    const extension = extensionOf(feature);
    const [capability, member] =
      extension === undefined ? feature.split('.') : ['extensions', extension];
    const declared = (capabilities[capability as string] ??= {});
    if (member !== undefined) declared[member] = {};
  }
  return capabilities;
}
