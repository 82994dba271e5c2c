import { TaskExistsException } from '../exceptions/task-exists.exception.js';
import { expiresAtMs, type TaskRecord } from '../task-record.js';
import { McpTaskStore, type TaskChange } from './mcp-task.store.js';

/** How often what has expired is forgotten, in milliseconds. */
const SWEEP_MS = 60_000;

/** A record as JSON, so that nobody holds what is in here, and when it expires. */
interface Kept {
  readonly json: string;
  readonly expiresAtMs: number;
}

/** Keeps tasks in this process: for development, tests, and servers that may forget them. */
export class InMemoryTaskStore extends McpTaskStore {
  private readonly tasks = new Map<string, Kept>();
  private sweeper?: NodeJS.Timeout | undefined;

  /** @param now epoch milliseconds */
  constructor(private readonly now: () => number = Date.now) {
    super();
  }

  override create(record: TaskRecord): Promise<void> {
    if (this.kept(record.taskId) !== undefined) return Promise.reject(new TaskExistsException());
    this.keep(record);
    return Promise.resolve();
  }

  override get(taskId: string): Promise<TaskRecord | undefined> {
    const kept = this.kept(taskId);
    return Promise.resolve(kept === undefined ? undefined : read(kept));
  }

  override delete(taskId: string): Promise<void> {
    this.tasks.delete(taskId);
    return Promise.resolve();
  }

  protected override async replace(
    taskId: string,
    change: TaskChange,
  ): Promise<TaskRecord | undefined> {
    this.replaceNow(taskId, change);
    return this.get(taskId);
  }

  /** In one turn, so that nothing comes between. */
  private replaceNow(taskId: string, change: TaskChange): void {
    const kept = this.kept(taskId);
    if (kept === undefined) return;
    const record = read(kept);
    const changed = change(record);
    if (changed !== record) this.keep(changed);
  }

  private keep(record: TaskRecord): void {
    this.tasks.set(record.taskId, {
      json: JSON.stringify(record),
      expiresAtMs: expiresAtMs(record),
    });
    this.sweeper ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
  }

  private kept(taskId: string): Kept | undefined {
    const kept = this.tasks.get(taskId);
    if (kept === undefined || kept.expiresAtMs > this.now()) return kept;
    this.tasks.delete(taskId);
    return undefined;
  }

  private sweep(): void {
    for (const taskId of this.tasks.keys()) this.kept(taskId);
    if (this.tasks.size > 0) return;
    clearInterval(this.sweeper);
    this.sweeper = undefined;
  }
}

function read({ json }: Kept): TaskRecord {
  return JSON.parse(json) as TaskRecord;
}
