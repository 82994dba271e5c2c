import { boot } from './boot.js';
import { call } from './call.js';
import { conversation } from './conversation.js';
import { list } from './list.js';
import { listeners } from './listeners.js';
import { memory } from './memory.js';
import { pipeline } from './pipeline.js';
import { progress } from './progress.js';
import { rounds } from './rounds.js';
import type { Scenario } from './scenario.js';

/** In the order of the table. */
export const scenarios: readonly Scenario[] = [
  call,
  pipeline,
  list,
  conversation,
  rounds,
  progress,
  listeners,
  memory,
  boot,
];
