/** Dacapo as an application uses it; the argument is the adapter. */
import { AskingTools } from './asking.tools.js';
import { EchoTools } from './echo.tools.js';
import { PipelineTools } from './pipeline.tools.js';
import { serve } from './serve.js';
import { TellingTools } from './telling.tools.js';

await serve([EchoTools, PipelineTools, AskingTools, TellingTools]);
