import type { FieldName } from './fields.ts';
import { blame, queryLimits, type State } from './state.ts';
import type { NearNode, Query, TextTerm } from './tree.ts';

/** The parts that an operand names: `matchedin:subject`, or several of them with OR. Undefined where it is anything else. */
function partsNamed(node: Query): readonly FieldName[] | undefined {
  if (node.kind === 'value') return node.field === 'matchedin' ? [node.value as FieldName] : undefined;
  if (node.kind !== 'or') return undefined;
  const parts = node.of.map(partsNamed);
  return parts.includes(undefined) ? undefined : parts.flatMap((one) => one ?? []);
}

const either = (of: readonly Query[]): Query => (of.length === 1 && of[0] ? of[0] : { kind: 'or', of });

const isBare = (node: Query): node is TextTerm => node.kind === 'text' && node.field === null;

/** An operand of NEAR in one part; undefined where it has a field already. */
function operandIn(part: FieldName, node: Query): Query | undefined {
  if (isBare(node)) return { ...node, field: part };
  if (node.kind !== 'or') return undefined;
  const of = node.of.map((one) => operandIn(part, one));
  return of.includes(undefined) ? undefined : { kind: 'or', of: of.flatMap((one) => one ?? []) };
}

function nearIn(parts: readonly FieldName[], node: NearNode): Query {
  return either(
    parts.map((part) => {
      const operands = node.operands.map((one) => operandIn(part, one));
      return operands.includes(undefined) ? node : { ...node, operands: operands.flatMap((one) => one ?? []) };
    }),
  );
}

/** A query whose words without a field are looked for in these parts alone. */
function within(parts: readonly FieldName[], node: Query): Query {
  if (isBare(node)) return either(parts.map((field) => ({ ...node, field })));
  if (node.kind === 'near') return nearIn(parts, node);
  if (node.kind === 'and' || node.kind === 'or') return { kind: node.kind, of: node.of.map((one) => within(parts, one)) };
  return node.kind === 'not' ? { kind: 'not', of: within(parts, node.of) } : node;
}

function hasBareWords(node: Query): boolean {
  if (node.kind === 'and' || node.kind === 'or') return node.of.some(hasBareWords);
  if (node.kind === 'near') return node.operands.some(hasBareWords);
  return node.kind === 'not' ? hasBareWords(node.of) : isBare(node);
}

/** Undefined where parts are named without words that they are the parts of. */
function placed(node: Query): Query | undefined {
  if (partsNamed(node)) return undefined;
  if (node.kind === 'not') {
    const of = placed(node.of);
    return of && { kind: 'not', of };
  }
  if (node.kind !== 'and' && node.kind !== 'or') return node;
  const named = node.kind === 'and' ? node.of.find(partsNamed) : undefined;
  const others = node.of.filter((one) => one !== named).map(placed);
  if (others.includes(undefined)) return undefined;
  const known = others.flatMap((one) => one ?? []);
  const parts = named && partsNamed(named);
  if (!parts) return { kind: node.kind, of: known };
  if (!known.some(hasBareWords)) return undefined;
  const narrowed = known.map((one) => within(parts, one));
  return narrowed.length === 1 ? narrowed[0] : { kind: 'and', of: narrowed };
}

function termsIn(node: Query): number {
  if (node.kind === 'and' || node.kind === 'or') return node.of.reduce((sum, one) => sum + termsIn(one), 0);
  if (node.kind === 'near') return node.operands.reduce((sum, one) => sum + termsIn(one), 0);
  return node.kind === 'not' ? termsIn(node.of) : 1;
}

/**
 * `matchedin:` is no condition on items: it says in which parts the words beside it have to be, those in parentheses beside it as
 * well. So it is read as their field, and a query that has been read has none of it.
 */
export function withMatchedParts(state: State, query: Query): Query {
  const [place] = state.matchedIn;
  if (!place || state.faults.length > 0) return query;
  const found = placed(query);
  if (!found) blame(state, 'no-words-beside', place);
  else if (termsIn(found) > queryLimits.terms) blame(state, 'too-complex', place);
  return found ?? query;
}
