import { isTerminal, type TaskRecord } from '../task-record.js';

/** What becomes of a record; the same record if nothing does. Pure: it may be called more than once. */
export type TaskChange = (record: TaskRecord) => TaskRecord;

/**
 * Keeps the records of tasks. The one there is by default keeps them in its process; several instances,
 * and one that is restarted, need one that they share.
 *
 * A store passes the contract of `@dacapo/testing/tasks`:
 *
 * 1. What was created or changed is what the next `get` of any instance gives.
 * 2. Changes of one task happen one after the other, whoever makes them.
 * 3. A task that has ended does not change any more.
 * 4. From `createdAtMs + ttlMs` on, by the store's clock, a task is not there.
 * 5. What is given and got is a copy: changing it changes no record.
 */
export abstract class McpTaskStore {
  /** @throws TaskExistsException when the id is taken */
  abstract create(record: TaskRecord): Promise<void>;

  /** `undefined` for what is unknown, or has expired. */
  abstract get(taskId: string): Promise<TaskRecord | undefined>;

  /** Forgets a task; nothing happens when there is none. */
  abstract delete(taskId: string): Promise<void>;

  /**
   * Changes a record, atomically.
   * @returns the record as it is now; `undefined` for what is unknown, or has expired
   */
  update(taskId: string, change: TaskChange): Promise<TaskRecord | undefined> {
    return this.replace(taskId, (record) => {
      if (isTerminal(record)) return record;
      const changed = change(record);
      return changed === record ? record : { ...changed, version: record.version + 1 };
    });
  }

  /** Replaces a record by what is made of it, atomically; writes nothing when that is the same record. */
  protected abstract replace(taskId: string, change: TaskChange): Promise<TaskRecord | undefined>;
}
