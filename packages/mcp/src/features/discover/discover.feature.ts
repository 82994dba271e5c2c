import { Injectable } from '@nestjs/common';
import { ResolvedOptions } from '../../options/index.js';
import {
  type DiscoverResult,
  type ServerCapabilities,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '../../protocol/index.js';
import { CompletionsFeature } from '../completions/index.js';
import { ExtensionRegistry } from '../extensions/index.js';
import { PromptsFeature } from '../prompts/index.js';
import { ResourcesFeature } from '../resources/index.js';
import { ToolsFeature } from '../tools/index.js';

/**
 * `server/discover`: versions, and the capabilities that have something behind them.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/discover
 */
@Injectable()
export class DiscoverFeature {
  constructor(
    private readonly options: ResolvedOptions,
    private readonly tools: ToolsFeature,
    private readonly prompts: PromptsFeature,
    private readonly resources: ResourcesFeature,
    private readonly completions: CompletionsFeature,
    private readonly extensions: ExtensionRegistry,
  ) {}

  discover(): DiscoverResult {
    const { instructions, lists } = this.options;
    return {
      resultType: 'complete',
      supportedVersions: [...SUPPORTED_PROTOCOL_VERSIONS],
      capabilities: this.capabilities,
      ...(instructions !== undefined && { instructions }),
      ttlMs: lists.ttlMs,
      cacheScope: lists.cacheScope,
    };
  }

  /** What the server offers now: handlers may come and go. */
  get capabilities(): ServerCapabilities {
    const { settings } = this.extensions;
    const handlers = [this.tools, this.prompts, this.resources].some(({ isEmpty }) => !isEmpty);
    return {
      // Must be declared by whoever may log, and every handler may.
      ...(handlers && { logging: {} }),
      ...(!this.tools.isEmpty && { tools: { listChanged: true } }),
      ...(!this.prompts.isEmpty && { prompts: { listChanged: true } }),
      ...(!this.resources.isEmpty && { resources: { listChanged: true, subscribe: true } }),
      ...(!this.completions.isEmpty && { completions: {} }),
      ...(settings !== undefined && { extensions: { ...settings } }),
    };
  }
}
