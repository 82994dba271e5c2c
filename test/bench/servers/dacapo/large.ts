/** Dacapo with many tools; the arguments are the adapter and how many. */
import { catalogue } from './catalogue.js';
import { serve } from './serve.js';

await serve(catalogue(Number(process.argv[3])));
