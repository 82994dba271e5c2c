import { Injectable } from '@nestjs/common';
import { McpNotifier, McpTool } from '@dacapo/mcp';

/** Tools that make the server announce changes to whoever listens. */
@Injectable()
export class ChangeTools {
  constructor(private readonly notifier: McpNotifier) {}

  @McpTool({ name: 'test_trigger_tool_change', description: 'Announces changed tools' })
  tools(): string {
    this.notifier.toolsChanged();
    return 'Announced';
  }

  @McpTool({ name: 'test_trigger_prompt_change', description: 'Announces changed prompts' })
  prompts(): string {
    this.notifier.promptsChanged();
    return 'Announced';
  }
}
