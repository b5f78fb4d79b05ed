import { tokenise, type Token } from './filter.ts';

const WORDS = new Set(['and', 'or', 'not', 'eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'has', 'true', 'false', 'null']);
const COLLECTION = /\/(?:any|all)$/iu;

export interface FilterNames {
  /** The paths of all properties that an expression names; a variable of `any` is replaced by what it runs over. */
  readonly paths: readonly string[];
  /** Operators and functions, in lower case. */
  readonly operators: ReadonlySet<string>;
}

function isBefore(tokens: readonly Token[], index: number, sign: string): boolean {
  const next = tokens[index + 1];
  return next?.kind === 'sign' && next.text === sign;
}

/** What a `$filter` names. An expression that can't be read names nothing: whoever compiles it refuses it. */
export function namesInFilter(text: string): FilterNames {
  const paths: string[] = [];
  const operators = new Set<string>();
  const variables = new Map<string, string>();
  const tokens = tokenise(text) ?? [];
  let over = '';
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'name') continue;
    if (WORDS.has(token.text.toLowerCase())) {
      operators.add(token.text.toLowerCase());
    } else if (isBefore(tokens, index, '(')) {
      if (!COLLECTION.test(token.text)) operators.add(token.text.toLowerCase());
      else paths.push((over = token.text.replace(COLLECTION, '')));
    } else if (isBefore(tokens, index, ':')) {
      variables.set(token.text, over);
    } else {
      const [first = '', ...rest] = token.text.split('/');
      const base = variables.get(first);
      if (base === undefined) paths.push(token.text);
      else if (rest.length > 0) paths.push([base, ...rest].join('/'));
    }
  }
  return { paths, operators };
}
