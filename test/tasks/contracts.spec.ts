import { InMemoryTaskStore, InProcessTaskRunner } from '@dacapo/tasks';
import { taskRunnerContract, taskStoreContract } from '@dacapo/testing/tasks';

describe('InMemoryTaskStore', () => {
  const contract = taskStoreContract(() => {
    let now = 1_000_000;
    return {
      store: new InMemoryTaskStore(() => now),
      now: () => now,
      advance: (ms) => void (now += ms),
    };
  });

  it.each(contract)('%s', (_name, run) => run());
});

describe('InProcessTaskRunner', () => {
  const contract = taskRunnerContract(() => ({ runner: new InProcessTaskRunner() }));

  it.each(contract)('%s', (_name, run) => run());
});
