import {
  ENTRY_PROVIDER_WATERMARK,
  EXCEPTION_FILTERS_METADATA,
  INTERCEPTORS_METADATA,
  PARAMTYPES_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/internal';
import * as ours from './mcp.constants.js';

describe('the copies of the keys of Nest', () => {
  it('are the keys of Nest', () => {
    expect({
      ROUTE_ARGS_METADATA: ours.ROUTE_ARGS_METADATA,
      ENTRY_PROVIDER_WATERMARK: ours.ENTRY_PROVIDER_WATERMARK,
      INTERCEPTORS_METADATA: ours.INTERCEPTORS_METADATA,
      EXCEPTION_FILTERS_METADATA: ours.EXCEPTION_FILTERS_METADATA,
      PARAMTYPES_METADATA: ours.PARAMTYPES_METADATA,
    }).toEqual({
      ROUTE_ARGS_METADATA,
      ENTRY_PROVIDER_WATERMARK,
      INTERCEPTORS_METADATA,
      EXCEPTION_FILTERS_METADATA,
      PARAMTYPES_METADATA,
    });
  });
});

describe('the keys of this package', () => {
  it('differ from each other', () => {
    const keys = [
      ours.MCP_TOOL_METADATA,
      ours.MCP_PROMPT_METADATA,
      ours.MCP_RESOURCE_METADATA,
      ours.MCP_ARG_METADATA,
      ours.MCP_COMPLETION_METADATA,
    ];
    expect(new Set(keys).size).toBe(keys.length);
    for (const key of keys) expect(key).toMatch(/^dacapo:/);
  });

  it('say where the pipeline carries what', () => {
    expect(ours.McpArgIndex).toEqual({ Arguments: 0, Exchange: 1, Call: 2 });
    expect(ours.MCP_CONTEXT_TYPE).toBe('mcp');
  });
});
