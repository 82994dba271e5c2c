import type { TaskTicket } from '@dacapo/tasks';
import { Worker } from 'bullmq';

/** A worker of BullMQ that can be left behind while it waits for its rounds to end. */
export class RoundWorker extends Worker<TaskTicket> {
  /** Locks are renewed no more, and connections closed; nothing happens when it has closed already. */
  async abandon(): Promise<void> {
    await this.lockManager.close();
    await this.backend.close(true);
  }
}
