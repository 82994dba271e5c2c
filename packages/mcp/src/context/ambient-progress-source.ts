import { currentContext } from './context.storage.js';
import { McpProgressSource } from './mcp-progress-source.js';
import type { AbsoluteProgress, CountingProgress, PercentageProgress } from './progress/index.js';

/** The progress source that services inject: finds the handler that is running. */
export class AmbientProgressSource extends McpProgressSource {
  override countingProgress(total?: number): CountingProgress {
    return currentContext('countingProgress()').countingProgress(total);
  }

  override absoluteProgress(total?: number): AbsoluteProgress {
    return currentContext('absoluteProgress()').absoluteProgress(total);
  }

  override percentageProgress(): PercentageProgress {
    return currentContext('percentageProgress()').percentageProgress();
  }
}
