import { McpMethod } from '../../protocol/index.js';

/** What clients of earlier revisions ask under the same name. */
export const PASSED_ON: ReadonlySet<string> = new Set<string>([
  McpMethod.ToolsList,
  McpMethod.ToolsCall,
  McpMethod.PromptsList,
  McpMethod.PromptsGet,
  McpMethod.ResourcesList,
  McpMethod.ResourceTemplatesList,
  McpMethod.ResourcesRead,
  McpMethod.CompletionComplete,
]);
