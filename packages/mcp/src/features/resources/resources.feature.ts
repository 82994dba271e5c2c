import { HttpException, HttpStatus, Injectable } from '@nestjs/common';
import type { ResourceHandler } from '../../discovery/index.js';
import { ResourceNotFoundException } from '../../exceptions/index.js';
import type { McpExchange } from '../../exchange/index.js';
import { ResolvedOptions } from '../../options/index.js';
import {
  type CallRequest,
  CallRunner,
  type FailedEnd,
  GateCall,
  passesGate,
} from '../../pipeline/index.js';
import {
  type Awaitable,
  type InputRequiredResult,
  McpMethod,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplate,
} from '../../protocol/index.js';
import { toProtocolError } from '../call-errors.js';
import { callRequest } from '../call-params.js';
import { ResultMapper } from '../content/result-mapper.js';
import { HandlerCompiler } from '../handler-compiler.js';
import { HandlerList } from '../lists/handler-list.js';
import type { ListPage } from '../lists/list-pages.js';
import {
  compileResource,
  type FixedResourceEntry,
  type ResourceEntry,
  type ResourceTemplateEntry,
} from './resource.entry.js';
import { toResourceResult } from './resource-result.mapper.js';
import { UriTemplate, type UriVariables } from './uri-template.js';

/** An entry, and what the uri says. */
export interface FoundResource {
  readonly entry: ResourceEntry;
  readonly variables: UriVariables;
}

const NOT_FOUND: number = HttpStatus.NOT_FOUND;

/**
 * `resources/list`, `resources/templates/list` and `resources/read`. A uri of its own comes before
 * every template; of the templates that match, the most specific one answers.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 */
@Injectable()
export class ResourcesFeature {
  private readonly fixed: HandlerList<'resources', Resource, FixedResourceEntry>;
  private readonly templates: HandlerList<
    'resourceTemplates',
    ResourceTemplate,
    ResourceTemplateEntry
  >;
  private bySpecificity: readonly ResourceTemplateEntry[] = [];
  private byText: ReadonlyMap<string, ResourceTemplateEntry> = new Map();

  constructor(
    private readonly options: ResolvedOptions,
    private readonly compiler: HandlerCompiler,
    private readonly runner: CallRunner,
    private readonly results: ResultMapper,
  ) {
    const { lists } = options;
    this.fixed = new HandlerList('resources', 'resource uri', ({ uri }) => uri, lists);
    this.templates = new HandlerList(
      'resourceTemplates',
      'uri template',
      ({ uriTemplate }) => uriTemplate,
      lists,
    );
  }

  /** @throws HandlerDefinitionException */
  add(handler: ResourceHandler): ResourceEntry {
    const entry = compileResource(handler, this.compiler);
    if (entry.kind === 'resource') this.fixed.add(entry.name, entry);
    else {
      this.templates.add(entry.template.shape, entry);
      this.templatesChanged();
    }
    return entry;
  }

  /** The entry that was there. @param name a uri, or the text of a template */
  remove(name: string): ResourceEntry | undefined {
    const fixed = this.fixed.remove(name);
    if (fixed !== undefined) return fixed;
    const entry = this.byText.get(name);
    if (entry === undefined) return undefined;
    this.templates.remove(entry.template.shape);
    this.templatesChanged();
    return entry;
  }

  get isEmpty(): boolean {
    return this.fixed.isEmpty && this.templates.isEmpty;
  }

  /** For the server's own use: a caller may not know of them. */
  get templateEntries(): readonly ResourceTemplateEntry[] {
    return this.templates.values;
  }

  list(
    exchange: McpExchange,
    params: Record<string, unknown>,
  ): Awaitable<ListPage<'resources', Resource>> {
    return this.fixed.page(exchange, params['cursor']);
  }

  listTemplates(
    exchange: McpExchange,
    params: Record<string, unknown>,
  ): Awaitable<ListPage<'resourceTemplates', ResourceTemplate>> {
    return this.templates.page(exchange, params['cursor']);
  }

  async read(
    exchange: McpExchange,
    params: Record<string, unknown>,
  ): Promise<ReadResourceResult | InputRequiredResult> {
    const request = callRequest(McpMethod.ResourcesRead, 'uri', params);
    const found = await this.find(request.target, exchange);
    if (found === undefined) throw new ResourceNotFoundException(request.target);
    const { entry, variables } = found;
    const call = { ...request, arguments: variables };
    return this.runner.run(entry, exchange, call, (end) => {
      if (end.type === 'failed') throw this.toError(request.target, end);
      return this.results.run(() =>
        toResourceResult(entry, request.target, end.value, isCacheable(request)),
      );
    });
  }

  /** The resource behind a uri, as far as the caller may know of it. */
  async find(uri: string, exchange: McpExchange): Promise<FoundResource | undefined> {
    const entry = this.fixed.get(uri);
    if (entry !== undefined && (await this.fixed.shows(entry, exchange))) {
      return { entry, variables: {} };
    }
    for (const candidate of this.bySpecificity) {
      const variables = candidate.template.match(uri);
      if (variables !== undefined && (await this.templates.shows(candidate, exchange))) {
        return { entry: candidate, variables };
      }
    }
    return undefined;
  }

  /** The template with a text, or the resource with a uri, as far as the caller may know of it. */
  async findReferenced(
    textOrUri: string,
    exchange: McpExchange,
  ): Promise<ResourceEntry | undefined> {
    const template = this.byText.get(textOrUri);
    if (template !== undefined && (await this.templates.shows(template, exchange))) return template;
    const fixed = this.fixed.get(textOrUri);
    return fixed !== undefined && (await this.fixed.shows(fixed, exchange)) ? fixed : undefined;
  }

  /**
   * Whether a caller may hear of a change behind a uri: of what it may not know of, or its guards
   * refuse, it may not. Nor may it of what is not served here: another instance may serve it, or this
   * one have done so, under rules that cannot be asked.
   */
  async mayHearOf(uri: string, exchange: McpExchange): Promise<boolean> {
    const found = await this.find(uri, exchange);
    if (found === undefined) return false;
    const { kind, name, gate } = found.entry;
    return passesGate(gate, new GateCall({ kind, name }, exchange, found.variables));
  }

  private templatesChanged(): void {
    this.byText = new Map(this.templates.values.map((entry) => [entry.name, entry]));
    this.bySpecificity = [...this.templates.values].sort((a, b) =>
      UriTemplate.compare(a.template, b.template),
    );
  }

  private toError(uri: string, end: FailedEnd): Error {
    const missing =
      end.entered && end.error instanceof HttpException && end.error.getStatus() === NOT_FOUND;
    return missing
      ? new ResourceNotFoundException(uri)
      : toProtocolError(end, this.options.exposeErrors, { uri });
  }
}

/** Only what the uri alone decides. */
function isCacheable({ requestState, inputResponses }: CallRequest): boolean {
  return requestState === undefined && inputResponses === undefined;
}
