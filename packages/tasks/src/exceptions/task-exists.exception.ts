/** A task of this id is there already. */
export class TaskExistsException extends Error {
  constructor() {
    super('A task of this id is there already. Ids are random: create a record with another one.');
    this.name = 'TaskExistsException';
  }
}
