import type { TaskTicket } from '@dacapo/tasks';

/** What the keys of all queues begin with. */
export function queuePrefix(prefix: string): string {
  return `${prefix}:queue`;
}

/** The queue of a server. BullMQ wants no colon in it. */
export function queueName(server: string): string {
  return encodeURIComponent(server.toWellFormed());
}

/** The id of a job: that of any other is another one. BullMQ wants no colon in it, and no number. */
export function jobId({ taskId, wake }: TaskTicket): string {
  return `${taskId}.${wake}`;
}
