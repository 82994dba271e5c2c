/**
 * What a parameter receives. The numbers of `Args` and `Arg` are those of Nest's body and param, so
 * that pipes such as `ValidationPipe` treat them alike; the others are `custom` to pipes.
 */
export const McpParamtype = {
  Args: 3,
  Arg: 5,
  Context: 100,
  Elicitor: 101,
  Principal: 102,
  Signal: 103,
  Value: 104,
} as const;

export type McpParamtype = (typeof McpParamtype)[keyof typeof McpParamtype];
