import { McpParamtype } from './mcp-paramtype.js';
import { assignParam } from './param.decorator.js';

/** Injects the caller, as the principal source names it; `null` for nobody. */
export function McpPrincipal(): ParameterDecorator {
  return assignParam(McpParamtype.Principal, undefined, []);
}
