import {
  expiresAtMs,
  McpTaskStore,
  type TaskChange,
  TaskExistsException,
  type TaskRecord,
} from '@dacapo/tasks';
import { setImmediate as turn } from 'node:timers/promises';
import { FakeClock } from '../fake-clock.js';
import { taskStoreContract } from './task-store.contract.js';

const clock = new FakeClock();

/** A store that keeps its contract, in parts that can be replaced by what does not. */
class PlainStore extends McpTaskStore {
  readonly records = new Map<string, string>();

  override async create(record: TaskRecord): Promise<void> {
    if (this.find(record.taskId) !== undefined) throw new TaskExistsException();
    this.put(record);
  }

  override async get(taskId: string): Promise<TaskRecord | undefined> {
    return this.find(taskId);
  }

  override async delete(taskId: string): Promise<void> {
    this.records.delete(taskId);
  }

  protected override async replace(
    taskId: string,
    change: TaskChange,
  ): Promise<TaskRecord | undefined> {
    const record = this.find(taskId);
    if (record === undefined) return undefined;
    this.put(change(record));
    return this.find(taskId);
  }

  protected put(record: TaskRecord): void {
    this.records.set(record.taskId, JSON.stringify(record));
  }

  protected find(taskId: string): TaskRecord | undefined {
    const json = this.records.get(taskId);
    if (json === undefined) return undefined;
    const record = JSON.parse(json) as TaskRecord;
    return this.isOver(record) ? undefined : record;
  }

  protected isOver(record: TaskRecord): boolean {
    return clock.now() >= expiresAtMs(record);
  }
}

class OverwritingStore extends PlainStore {
  override async create(record: TaskRecord): Promise<void> {
    this.put(record);
  }
}

class SharingStore extends PlainStore {
  private readonly shared = new Map<string, TaskRecord>();

  protected override put(record: TaskRecord): void {
    this.shared.set(record.taskId, record);
  }

  protected override find(taskId: string): TaskRecord | undefined {
    const record = this.shared.get(taskId);
    return record === undefined || this.isOver(record) ? undefined : record;
  }

  override async delete(taskId: string): Promise<void> {
    this.shared.delete(taskId);
  }
}

class RacingStore extends PlainStore {
  protected override async replace(
    taskId: string,
    change: TaskChange,
  ): Promise<TaskRecord | undefined> {
    const record = this.find(taskId);
    await turn();
    if (record !== undefined) this.put(change(record));
    return this.find(taskId);
  }
}

class RevivingStore extends PlainStore {
  override async update(taskId: string, change: TaskChange): Promise<TaskRecord | undefined> {
    return this.replace(taskId, (record) => ({ ...change(record), version: record.version + 1 }));
  }
}

class MergingStore extends PlainStore {
  protected override put(record: TaskRecord): void {
    super.put({ ...this.find(record.taskId), ...record });
  }
}

class EternalStore extends PlainStore {
  protected override isOver(): boolean {
    return false;
  }
}

class LateStore extends PlainStore {
  protected override isOver(record: TaskRecord): boolean {
    return clock.now() > expiresAtMs(record);
  }
}

class RenewingStore extends PlainStore {
  protected override async replace(
    taskId: string,
    change: TaskChange,
  ): Promise<TaskRecord | undefined> {
    return super.replace(taskId, (record) => ({ ...change(record), createdAtMs: clock.now() + 1 }));
  }
}

class RememberingStore extends PlainStore {
  override async delete(): Promise<void> {
    await turn();
  }
}

class AsciiStore extends PlainStore {
  protected override put(record: TaskRecord): void {
    this.records.set(record.taskId, Buffer.from(JSON.stringify(record), 'latin1').toString());
  }
}

class SmallStore extends PlainStore {
  protected override put(record: TaskRecord): void {
    const json = JSON.stringify(record);
    if (json.length > 1_000_000) throw new Error('too long');
    this.records.set(record.taskId, json);
  }
}

const contractOf = (make: () => McpTaskStore): ReturnType<typeof taskStoreContract> =>
  taskStoreContract(() => ({
    store: make(),
    now: clock.now,
    advance: (ms) => clock.advance(ms),
  }));

async function failuresOf(make: () => McpTaskStore): Promise<string[]> {
  const failures: string[] = [];
  for (const [name, run] of contractOf(make)) await run().catch(() => failures.push(name));
  return failures;
}

describe('The contract of task stores', () => {
  it.each(contractOf(() => new PlainStore()))('is kept: it %s', (_name, run) => run());

  const broken: [typeof PlainStore, string][] = [
    [OverwritingStore, 'refuses an id that is taken, and keeps what has it'],
    [OverwritingStore, 'creates one of several with the same id'],
    [SharingStore, 'does not notice what becomes of what it was given'],
    [SharingStore, 'does not notice what becomes of what it has given'],
    [RacingStore, 'changes one after the other, though all come at once'],
    [RacingStore, 'ends a task once'],
    [RevivingStore, 'does not change what has ended'],
    [RevivingStore, 'writes nothing when nothing has changed'],
    [MergingStore, 'lets members of a record go'],
    [EternalStore, 'forgets a task when its time has come'],
    [EternalStore, 'counts the life of a task from its beginning'],
    [EternalStore, 'gives the id of a forgotten task away'],
    [LateStore, 'forgets a task when its time has come'],
    [RenewingStore, 'forgets a changed task no later'],
    [RememberingStore, 'forgets what is deleted, and deletes it again in vain'],
    [AsciiStore, 'keeps every string and every name as it is'],
    [SmallStore, 'keeps megabytes'],
  ];

  it.each(broken.map(([Broken, name]) => [Broken.name, name, Broken] as const))(
    'is not kept by a %s: it %s',
    async (_, name, Broken) => {
      expect(await failuresOf(() => new Broken())).toContain(name);
    },
  );
});
