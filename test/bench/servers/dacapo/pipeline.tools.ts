import { Injectable, UseGuards, UseInterceptors, UsePipes } from '@nestjs/common';
import { McpArgs, McpTool } from '@dacapo/mcp';
import { BenchGuard, BenchInterceptor, BenchPipe } from '../enhancers.js';
import { EchoArgs } from './echo.tools.js';

/** The DTO tool, with what users put around their handlers. */
@Injectable()
export class PipelineTools {
  @McpTool({ name: 'echo_one' })
  @UseGuards(BenchGuard)
  @UseInterceptors(BenchInterceptor)
  @UsePipes(BenchPipe)
  one(@McpArgs() { text }: EchoArgs): string {
    return text;
  }

  @McpTool({ name: 'echo_guards' })
  @UseGuards(...Array<typeof BenchGuard>(10).fill(BenchGuard))
  guards(@McpArgs() { text }: EchoArgs): string {
    return text;
  }

  @McpTool({ name: 'echo_interceptors' })
  @UseInterceptors(...Array<typeof BenchInterceptor>(10).fill(BenchInterceptor))
  interceptors(@McpArgs() { text }: EchoArgs): string {
    return text;
  }
}
