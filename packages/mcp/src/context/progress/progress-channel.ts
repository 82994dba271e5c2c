/** Where an emitter's reports go. */
export interface ProgressChannel {
  /** Delivers a report, unless nobody asked for it or an earlier round has delivered it. */
  send(progress: number, total: number | undefined, message: string | undefined): void;
}
