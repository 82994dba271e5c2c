/** A task is being changed by others all the time: a change of it never came through. */
export class TaskContentionException extends Error {
  constructor(attempts: number, ms: number) {
    super(
      `Others have changed the task under each of ${attempts} attempts, for ${ms} ms. ` +
        'Nothing was changed: try again, and look for what changes one task so often.',
    );
    this.name = 'TaskContentionException';
  }
}
