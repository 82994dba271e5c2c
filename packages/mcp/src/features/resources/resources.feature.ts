import { HttpException, HttpStatus, Injectable, Logger } from '@nestjs/common';
import { type DiscoveredHandler, HandlerRegistry } from '../../discovery/index.js';
import { InternalErrorException, InvalidParamsException } from '../../exceptions/index.js';
import type { McpExchange } from '../../exchange/index.js';
import { ResolvedOptions } from '../../options/index.js';
import {
  type CallEnd,
  type CallRequest,
  CallRunner,
  HandlerInvokerFactory,
} from '../../pipeline/index.js';
import {
  type InputRequiredResult,
  McpMethod,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplate,
} from '../../protocol/index.js';
import { toProtocolError } from '../call-errors.js';
import { callRequest } from '../call-params.js';
import { type ListPage, ListPages } from '../lists/list-pages.js';
import {
  compileResource,
  type FixedResourceEntry,
  type ResourceEntry,
  type ResourceTemplateEntry,
} from './resource.entry.js';
import { toResourceResult } from './resource-result.mapper.js';
import { UriTemplate, type UriVariables } from './uri-template.js';

const NOT_FOUND: number = HttpStatus.NOT_FOUND;

/**
 * `resources/list`, `resources/templates/list` and `resources/read`. A uri of its own comes before
 * every template; of the templates that match, the most specific one answers.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 */
@Injectable()
export class ResourcesFeature {
  private readonly logger = new Logger('McpResources');
  private readonly fixed = new HandlerRegistry<FixedResourceEntry>('resource uri');
  private readonly templates = new HandlerRegistry<ResourceTemplateEntry>('uri template');
  private bySpecificity: readonly ResourceTemplateEntry[] = [];
  private pages?: ListPages<'resources', Resource>;
  private templatePages?: ListPages<'resourceTemplates', ResourceTemplate>;

  constructor(
    private readonly options: ResolvedOptions,
    private readonly invokers: HandlerInvokerFactory,
    private readonly runner: CallRunner,
  ) {}

  /** @throws HandlerDefinitionException */
  register(handlers: readonly Extract<DiscoveredHandler, { kind: 'resource' }>[]): void {
    for (const handler of handlers) {
      const entry = compileResource(handler, this.invokers);
      if (entry.kind === 'resource') this.fixed.add(entry.name, entry);
      else this.templates.add(entry.template.shape, entry);
    }
    this.bySpecificity = [...this.templates.values].sort((a, b) =>
      UriTemplate.compare(a.template, b.template),
    );
    const { lists } = this.options;
    this.pages = new ListPages(
      'resources',
      this.fixed.values.map((entry) => entry.descriptor),
      (resource) => resource.uri,
      lists,
    );
    this.templatePages = new ListPages(
      'resourceTemplates',
      this.templates.values.map((entry) => entry.descriptor),
      (template) => template.uriTemplate,
      lists,
    );
  }

  get isEmpty(): boolean {
    return this.fixed.values.length === 0 && this.templates.values.length === 0;
  }

  list(params: Record<string, unknown>): ListPage<'resources', Resource> {
    return (this.pages as ListPages<'resources', Resource>).page(params['cursor']);
  }

  listTemplates(params: Record<string, unknown>): ListPage<'resourceTemplates', ResourceTemplate> {
    return (this.templatePages as ListPages<'resourceTemplates', ResourceTemplate>).page(
      params['cursor'],
    );
  }

  async read(
    exchange: McpExchange,
    params: Record<string, unknown>,
  ): Promise<ReadResourceResult | InputRequiredResult> {
    const request = callRequest(McpMethod.ResourcesRead, 'uri', params);
    const { entry, variables } = this.find(request.target);
    const end = await this.runner.run(entry, exchange, { ...request, arguments: variables });
    switch (end.type) {
      case 'suspended':
        return end.result;
      case 'returned':
        return this.toResult(entry, request, end.value);
      case 'failed':
        throw this.toError(request.target, end);
    }
  }

  private find(uri: string): { entry: ResourceEntry; variables: UriVariables } {
    const entry = this.fixed.get(uri);
    if (entry !== undefined) return { entry, variables: {} };
    for (const candidate of this.bySpecificity) {
      const variables = candidate.template.match(uri);
      if (variables !== undefined) return { entry: candidate, variables };
    }
    throw notFound(uri);
  }

  private toResult(entry: ResourceEntry, request: CallRequest, value: unknown): ReadResourceResult {
    try {
      const cacheable = request.requestState === undefined && request.inputResponses === undefined;
      return toResourceResult(entry, request.target, value, cacheable);
    } catch (error) {
      this.logger.error(error);
      throw new InternalErrorException();
    }
  }

  private toError(uri: string, end: Extract<CallEnd, { type: 'failed' }>): Error {
    const missing =
      end.entered && end.error instanceof HttpException && end.error.getStatus() === NOT_FOUND;
    return missing ? notFound(uri) : toProtocolError(end, this.options.exposeErrors, { uri });
  }
}

function notFound(uri: string): InvalidParamsException {
  return new InvalidParamsException(`Resource not found: ${uri}`, { uri });
}
