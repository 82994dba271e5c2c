/** The promised API of @dacapo/testing/tasks: what every task store and task runner does. */
export type { ContractCase } from './contract-case.js';
export { eventually } from './patience.js';
export { sampleRecord } from './sample-record.js';
export { PlayedTickets } from './played-tickets.js';
export { taskRunnerContract, type TaskRunnerSubject } from './task-runner.contract.js';
export { taskStoreContract, type TaskStoreSubject } from './task-store.contract.js';
