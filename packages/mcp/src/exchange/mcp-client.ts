import type { ClientCapabilities, Implementation } from '../protocol/index.js';

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
        return elicitation !== undefined;
      case 'elicitation.form':
        // An empty object means form mode; naming url alone does not.
        return (
          elicitation !== undefined &&
          (elicitation.form !== undefined || elicitation.url === undefined)
        );
      case 'elicitation.url':
        return elicitation?.url !== undefined;
      case 'sampling':
        return sampling !== undefined;
      case 'sampling.context':
        return sampling?.context !== undefined;
      case 'sampling.tools':
        return sampling?.tools !== undefined;
      case 'roots':
        return roots !== undefined;
      default:
        return extensions?.[feature.slice('extensions.'.length)] !== undefined;
    }
  }
}
