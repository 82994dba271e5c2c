/** Longer uris match nothing. */
const MAX_URI_LENGTH = 2_048;

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
 * 1. An expression ends at the first text that can follow it. `{+reserved}` alone takes as much as it
 *    can, of which a template has one at most: matching is linear without it and quadratic with it,
 *    in a uri of bounded length, so that no uri can stall the server.
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
    return this.matchFrom(0, uri, 0, variables) ? variables : undefined;
  }

  private matchFrom(first: number, uri: string, from: number, variables: UriVariables): boolean {
    let position = from;
    for (let index = first; index < this.parts.length; index += 1) {
      const part = this.parts[index] as Part;
      if (part.type === 'literal') {
        if (!uri.startsWith(part.text, position)) return false;
        position += part.text.length;
        continue;
      }
      if (part.operator === '+') return this.matchReserved(part, index, uri, position, variables);
      const end = this.endOf(part, index, uri, position);
      if (end === undefined) return false;
      if (!read(part, uri.slice(position, end), variables)) return false;
      position = end;
    }
    return position === uri.length;
  }

  /** Tries the ends that leave the most to the reserved expression first. */
  private matchReserved(
    part: Expression,
    index: number,
    uri: string,
    from: number,
    variables: UriVariables,
  ): boolean {
    for (const end of this.endsOfReserved(index, uri, from)) {
      const found: UriVariables = {};
      if (this.matchFrom(index + 1, uri, end, found) && read(part, uri.slice(from, end), found)) {
        Object.assign(variables, found);
        return true;
      }
    }
    return false;
  }

  private *endsOfReserved(index: number, uri: string, from: number): Generator<number> {
    const limit = this.limitOfReserved(index, uri, from);
    // Each of the expressions up to the next literal may be absent.
    for (const part of this.parts.slice(index + 1)) {
      const opening = openingOf(part);
      for (
        let end = uri.lastIndexOf(opening, limit);
        end > from;
        end = uri.lastIndexOf(opening, end - 1)
      ) {
        yield end;
      }
      if (part.type === 'literal') return;
    }
    yield limit;
  }

  /** A query or fragment of the template's own does not belong to what stands before it. */
  private limitOfReserved(index: number, uri: string, from: number): number {
    const marks = this.parts
      .slice(index + 1)
      .filter((part) => part.type === 'expression' && ['?', '#'].includes(part.operator))
      .map((part) => uri.indexOf(openingOf(part), from))
      .filter((mark) => mark >= 0);
    return Math.min(uri.length, ...marks);
  }

  private check(): void {
    const repeated = this.names.find((name, index) => this.names.indexOf(name) !== index);
    if (repeated !== undefined) throw new Error(`it has the variable "${repeated}" twice`);
    if (this.names.length === 0) throw new Error('it has no variables; give it as "uri"');
    if (this.names.includes('__proto__')) throw new Error('it has a variable "__proto__"');
    if (this.reservedCount > 1) {
      throw new Error('it has more than one {+reserved} expression, whose ends cannot be told');
    }
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
    const end = uri.indexOf(next.text, from);
    return end < 0 ? undefined : end;
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
  // Named operators carry their names in the uri, in any order; the others only their number.
  const named: readonly Operator[] = [';', '?', '&'];
  const names = named.includes(part.operator) ? [...part.names].sort().join() : part.names.length;
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
      return (
        text === '' ||
        (text.startsWith('.') && !/[/?#]/.test(text) && list(names, text.slice(1), '.', variables))
      );
    case '/':
      return (
        text === '' ||
        (text.startsWith('/') && !/[?#]/.test(text) && list(names, text.slice(1), '/', variables))
      );
    case ';':
      return (
        text === '' ||
        (text.startsWith(';') && !/[/?#]/.test(text) && pairs(names, text.slice(1), ';', variables))
      );
    case '?':
    case '&':
      return (
        text === '' ||
        (text.startsWith(operator) &&
          !text.includes('#') &&
          pairs(names, text.slice(1), '&', variables))
      );
  }
}

function list(
  names: readonly string[],
  text: string,
  separator: string,
  variables: UriVariables,
): boolean {
  // One variable takes the whole text, where the separator may stand in a value; more share it.
  const values = names.length === 1 && separator !== '/' ? [text] : text.split(separator);
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
    return (
      names.includes(name) && !Object.hasOwn(variables, name) && assign(name, value, variables)
    );
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
