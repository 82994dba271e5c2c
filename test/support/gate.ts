/** Opened by a case, for whoever waits; or by a handler, for a case. */
export class Gate {
  open: () => void = () => undefined;
  readonly opened = new Promise<void>((resolve) => (this.open = resolve));
}
