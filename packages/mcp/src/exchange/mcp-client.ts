import { MissingClientCapabilityException } from '../exceptions/index.js';
import type { ClientCapabilities, Implementation } from '../protocol/index.js';
import {
  capabilitiesWith,
  type ClientFeature,
  extensionOf,
  featureWords,
} from './client-feature.js';

/** The client of one request, as it describes itself. */
export class McpClient {
  constructor(
    /** Self-reported name and version; for display and logs only. */
    readonly info: Implementation | undefined,
    /** Declared with this request; a later one may declare others. */
    readonly capabilities: ClientCapabilities,
  ) {}

  /** Whether the client declared a capability with this request. */
  supports(feature: ClientFeature): boolean {
    const { elicitation, sampling, roots, extensions } = this.capabilities;
    switch (feature) {
      case 'elicitation':
        return isDeclared(elicitation);
      case 'elicitation.form':
        // An empty object means form mode; naming url alone does not.
        return (
          elicitation !== undefined &&
          (isDeclared(elicitation.form) || elicitation.url === undefined)
        );
      case 'elicitation.url':
        return isDeclared(elicitation?.url);
      case 'sampling':
        return isDeclared(sampling);
      case 'sampling.context':
        return isDeclared(sampling?.context);
      case 'sampling.tools':
        return isDeclared(sampling?.tools);
      case 'roots':
        return isDeclared(roots);
      default:
        return isExtension(extensions, extensionOf(feature) ?? '');
    }
  }

  /** @throws MissingClientCapabilityException naming everything that is missing at once */
  require(...features: readonly ClientFeature[]): void {
    const missing = features.filter((feature) => !this.supports(feature));
    if (missing.length === 0) return;
    throw new MissingClientCapabilityException(
      missing.map(featureWords).join(' and '),
      capabilitiesWith(missing),
    );
  }
}

/** A capability is declared by an object, empty or not. */
function isDeclared(capability: unknown): boolean {
  return typeof capability === 'object' && capability !== null;
}

function isExtension(extensions: ClientCapabilities['extensions'], name: string): boolean {
  return (
    extensions !== undefined && Object.hasOwn(extensions, name) && isDeclared(extensions[name])
  );
}
