/** Longer uris match nothing; the protocol knows no longer ones worth serving. */
const MAX_URI_LENGTH = 8_192;

type Operator = '' | '+' | '#' | '.' | '/' | ';' | '?' | '&';

interface Literal {
  readonly type: 'literal';
  readonly text: string;
}

interface Expression {
  readonly type: 'expression';
  readonly operator: Operator;
  readonly names: readonly string[];
}

type Part = Literal | Expression;

/** The variables of a matched uri, percent-decoded; absent ones are left out. */
export type UriVariables = Record<string, string>;

const EXPRESSION =
  /^([+#./;?&]?)([A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*(?:,[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*)*)$/;

/** Operators whose text opens with the operator itself, so that it may follow another expression. */
const SELF_MARKING: readonly Operator[] = ['#', '.', '/', ';', '?', '&'];

/**
 * A URI template of RFC 6570, levels 1 to 3, read backwards: from a uri to its variables.
 *
 * 1. Matching is linear: an expression ends at the first text that can follow it (`{+reserved}` at
 *    the last), and nothing is tried twice, so that no uri can stall the server.
 * 2. An expression whose end could not be told is refused when the template is compiled.
 * 3. Of two templates that match, the more specific one has more literal text, then fewer
 *    variables, then fewer of the reserved kind.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570
 */
export class UriTemplate {
  readonly names: readonly string[];
  /** Equal for templates that differ in the names of their variables only. */
  readonly shape: string;
  private readonly literalLength: number;
  private readonly reservedCount: number;

  private constructor(
    readonly text: string,
    private readonly parts: readonly Part[],
  ) {
    const expressions = parts.filter((part) => part.type === 'expression');
    this.names = expressions.flatMap((part) => part.names);
    this.reservedCount = expressions.filter(({ operator }) => operator === '+').length;
    this.literalLength = parts.reduce(
      (sum, part) => sum + (part.type === 'literal' ? part.text.length : 0),
      0,
    );
    this.shape = parts.map(shapeOf).join('');
  }

  /** @throws Error saying what is wrong with the template */
  static parse(text: string): UriTemplate {
    const parts: Part[] = [];
    let rest = text;
    while (rest !== '') {
      const open = rest.indexOf('{');
      const literal = open < 0 ? rest : rest.slice(0, open);
      if (literal.includes('}')) throw new Error('it has a "}" without a "{"');
      if (literal !== '') parts.push({ type: 'literal', text: literal });
      if (open < 0) break;
      const close = rest.indexOf('}', open);
      if (close < 0) throw new Error('it has a "{" without a "}"');
      parts.push(parseExpression(rest.slice(open + 1, close)));
      rest = rest.slice(close + 1);
    }
    const template = new UriTemplate(text, parts);
    template.check();
    return template;
  }

  /** Orders templates: the most specific first. */
  static compare(a: UriTemplate, b: UriTemplate): number {
    return (
      b.literalLength - a.literalLength ||
      a.names.length - b.names.length ||
      a.reservedCount - b.reservedCount
    );
  }

  /** `undefined` when the uri is not one of this template's. */
  match(uri: string): UriVariables | undefined {
    if (uri.length > MAX_URI_LENGTH) return undefined;
    const variables: UriVariables = {};
    let position = 0;
    for (const [index, part] of this.parts.entries()) {
      if (part.type === 'literal') {
        if (!uri.startsWith(part.text, position)) return undefined;
        position += part.text.length;
        continue;
      }
      const end = this.endOf(part, index, uri, position);
      if (end === undefined) return undefined;
      if (!read(part, uri.slice(position, end), variables)) return undefined;
      position = end;
    }
    return position === uri.length ? variables : undefined;
  }

  private check(): void {
    const repeated = this.names.find((name, index) => this.names.indexOf(name) !== index);
    if (repeated !== undefined) throw new Error(`it has the variable "${repeated}" twice`);
    if (this.names.length === 0) throw new Error('it has no variables; give it as "uri"');
    for (const [index, part] of this.parts.entries()) {
      const next = this.parts[index + 1];
      if (
        part.type === 'expression' &&
        next?.type === 'expression' &&
        !SELF_MARKING.includes(next.operator)
      ) {
        throw new Error(
          `nothing separates {${part.operator}${part.names.join(',')}} from {${next.operator}${next.names.join(',')}}`,
        );
      }
    }
  }

  /** Where an expression's text ends: before what follows it in the template. */
  private endOf(part: Expression, index: number, uri: string, from: number): number | undefined {
    const following = this.parts.slice(index + 1);
    const next = following[0];
    if (next === undefined) return uri.length;
    if (next.type === 'expression') {
      // Each of the expressions up to the next literal may be absent.
      const literal = following.findIndex((item) => item.type === 'literal');
      const ends = following
        .slice(0, literal < 0 ? undefined : literal + 1)
        .map((item) => openingOf(item))
        .map((opening) => uri.indexOf(opening, from + (opening === part.operator ? 1 : 0)))
        .filter((end) => end >= 0);
      return Math.min(uri.length, ...ends);
    }
    if (following.length === 1) {
      const end = uri.length - next.text.length;
      return end >= from && uri.endsWith(next.text) ? end : undefined;
    }
    const end = part.operator === '+' ? uri.lastIndexOf(next.text) : uri.indexOf(next.text, from);
    return end >= from ? end : undefined;
  }
}

/** The text a part opens with; expressions that follow another open with their operator. */
function openingOf(part: Part): string {
  return part.type === 'literal' ? part.text : part.operator;
}

function parseExpression(body: string): Expression {
  const match = EXPRESSION.exec(body);
  if (match === null) {
    throw new Error(
      `{${body}} is not an expression of RFC 6570 levels 1 to 3 (explode "*" and prefix ":n" are level 4)`,
    );
  }
  return {
    type: 'expression',
    operator: match[1] as Operator,
    names: (match[2] as string).split(','),
  };
}

function shapeOf(part: Part): string {
  if (part.type === 'literal') return part.text;
  // Named operators carry their names in the uri, the others only their number.
  const names =
    ';?&'.includes(part.operator) && part.operator !== '' ? part.names.join() : part.names.length;
  return `{${part.operator}${names}}`;
}

/** Reads the text of an expression into variables; `false` when it cannot be that. */
function read({ operator, names }: Expression, text: string, variables: UriVariables): boolean {
  switch (operator) {
    case '':
      return text !== '' && !/[/?#]/.test(text) && list(names, text, ',', variables);
    case '+':
      return text !== '' && list(names, text, ',', variables);
    case '#':
      return text === '' || (text.startsWith('#') && list(names, text.slice(1), ',', variables));
    case '.':
    case '/':
      return (
        text === '' ||
        (text.startsWith(operator) &&
          !/[?#]/.test(text) &&
          list(names, text.slice(1), operator, variables))
      );
    case ';':
    case '?':
    case '&':
      return (
        text === '' ||
        (text.startsWith(operator) &&
          pairs(names, text.slice(1), operator === ';' ? ';' : '&', variables))
      );
  }
}

function list(
  names: readonly string[],
  text: string,
  separator: string,
  variables: UriVariables,
): boolean {
  // One variable takes the whole text; more share it.
  const values = names.length === 1 && separator === ',' ? [text] : text.split(separator);
  if (values.length > names.length) return false;
  return values.every((value, index) => assign(names[index] as string, value, variables));
}

function pairs(
  names: readonly string[],
  text: string,
  separator: string,
  variables: UriVariables,
): boolean {
  return text.split(separator).every((pair) => {
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    const value = equals < 0 ? '' : pair.slice(equals + 1);
    return names.includes(name) && !(name in variables) && assign(name, value, variables);
  });
}

function assign(name: string, value: string, variables: UriVariables): boolean {
  try {
    variables[name] = decodeURIComponent(value);
    return true;
  } catch {
    return false;
  }
}
