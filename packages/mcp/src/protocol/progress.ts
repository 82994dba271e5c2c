/** Chosen by the client; echoed with the JSON type it came with. */
export type ProgressToken = string | number;

/** How far a request has come, for the client that asked for it. */
export interface ProgressNotificationParams {
  progressToken: ProgressToken;
  progress: number;
  total?: number;
  message?: string;
}
