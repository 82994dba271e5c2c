/** Chosen by the client; echoed with the JSON type it came with. */
export type ProgressToken = string | number;

export interface ProgressNotificationParams {
  progressToken: ProgressToken;
  progress: number;
  total?: number;
  message?: string;
}
