import { IntrinsicException } from '@nestjs/common';

/** One thing that is wrong with the arguments. */
export interface ArgumentProblem {
  /** Dotted path of the argument; empty for the whole object. */
  readonly path: string;
  /** What is wrong, without the value. */
  readonly message: string;
}

/** The arguments of a call do not fit the handler's input schema. */
export class InvalidArgumentsException extends IntrinsicException {
  constructor(
    readonly handler: string,
    readonly problems: readonly ArgumentProblem[],
  ) {
    super(`Invalid arguments for "${handler}": ${problems.map(describe).join('; ')}.`);
    this.name = 'InvalidArgumentsException';
  }
}

function describe(problem: ArgumentProblem): string {
  return problem.path === '' ? problem.message : `${problem.path} ${problem.message}`;
}
