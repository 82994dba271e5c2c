import { type DynamicModule, Module } from '@nestjs/common';
import { McpModule, type McpReplayOptions } from '@dacapo/mcp';
import { McpTasksModule } from '@dacapo/tasks';
import { HeaderPrincipalSource } from './header.principal-source.js';
import { ContentPrompts } from './prompts/content.prompts.js';
import { RoundTripPrompts } from './prompts/round-trip.prompts.js';
import { StaticResources } from './resources/static.resources.js';
import { TemplateResources } from './resources/template.resources.js';
import { AskTools } from './tools/ask.tools.js';
import { ChangeTools } from './tools/change.tools.js';
import { ContentTools } from './tools/content.tools.js';
import { FormTools } from './tools/form.tools.js';
import { RequestTools } from './tools/request.tools.js';
import { RoundTripTools } from './tools/round-trip.tools.js';
import { SchemaTools } from './tools/schema.tools.js';
import { TaskTools } from './tools/task.tools.js';

/** Every fixture of the suite that the framework can serve; lists follow the order of providers. */
@Module({})
export class AppModule {
  static forRoot(replay: McpReplayOptions): DynamicModule {
    return {
      module: AppModule,
      imports: [
        McpModule.forRoot({
          server: { name: 'dacapo-conformance', version: '0.1.0' },
          principalSource: { useClass: HeaderPrincipalSource },
          legacy: 'sessions',
          replay,
        }),
        McpTasksModule.forRoot({ pollIntervalMs: 500 }),
      ],
      providers: [
        ContentTools,
        RequestTools,
        RoundTripTools,
        AskTools,
        FormTools,
        ChangeTools,
        SchemaTools,
        TaskTools,
        ContentPrompts,
        RoundTripPrompts,
        StaticResources,
        TemplateResources,
      ],
    };
  }
}
