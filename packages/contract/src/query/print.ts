import { type FieldName } from './fields.ts';
import type { NearNode, Query, RangeTerm, Term, TextTerm } from './tree.ts';

/** A phrase as it is written. */
export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Nothing that ends a word, opens a field or reads as an operator. */
const bareWord = /^(?!(?:AND|OR|NOT|NEAR|ONEAR|and|or|not|near)$)[\p{L}\p{N}_@#][\p{L}\p{N}\p{M}@._/+-]*$/u;

/** Whether a text is read as one word without quotation marks. */
export function isBare(text: string): boolean {
  return bareWord.test(text) && !text.includes('..');
}

function textOf(term: TextTerm): string {
  if (term.openStart || isBare(term.text)) return `${term.openStart ? '*' : ''}${term.text}${term.openEnd ? '*' : ''}`;
  return term.openEnd ? `${quoted(term.text).slice(0, -1)}*"` : quoted(term.text);
}

function boundOf(value: string | null): string {
  if (value === null) return '*';
  return /^[\w.-]+$/.test(value) ? value : quoted(value);
}

function rangeOf(term: RangeTerm): string {
  const { field, low, high } = term;
  if (low !== null && low === high) return `${field}:${boundOf(low)}`;
  if (low !== null && high === null && !term.withHigh) return `${field}${term.withLow ? '>=' : '>'}${boundOf(low)}`;
  if (high !== null && low === null && !term.withLow) return `${field}${term.withHigh ? '<=' : '<'}${boundOf(high)}`;
  return `${field}:${boundOf(low)}..${boundOf(high)}`;
}

function fieldOfNear(node: Query): FieldName | null {
  if (node.kind === 'text') return node.field;
  return node.kind === 'or' || node.kind === 'and' ? fieldOfNear(node.of[0] ?? { kind: 'everything' }) : null;
}

function nearOf(node: NearNode): string {
  const field = fieldOfNear(node.operands[0] ?? { kind: 'everything' });
  const pieces = node.operands.map((operand, index) => {
    const gap = node.gaps[index];
    const text = operand.kind === 'or' ? `(${operand.of.map((one) => print(one, field)).join(' OR ')})` : print(operand, field);
    return gap ? `${text} ${gap.isOrdered ? 'ONEAR' : 'NEAR'}(${gap.distance})` : text;
  });
  return field === null ? pieces.join(' ') : `${field}:(${pieces.join(' ')})`;
}

function inside(node: Query, field: FieldName | null): string {
  const text = print(node, field);
  return node.kind === 'and' || node.kind === 'or' ? `(${text})` : text;
}

function printTerm(term: Term, within: FieldName | null): string {
  if (term.kind === 'range') return rangeOf(term);
  if (term.kind === 'empty') return `${term.field}:""`;
  if (term.kind === 'value') return `${term.field}:${isBare(term.value) ? term.value : quoted(term.value)}`;
  if (term.field === null || term.field === within) return textOf(term);
  return `${term.field}${term.match === 'exactly' ? '=' : ':'}${textOf(term)}`;
}

function print(node: Query, within: FieldName | null): string {
  switch (node.kind) {
    case 'everything':
      return '';
    case 'and':
    case 'or':
      return node.of.map((one) => inside(one, within)).join(node.kind === 'and' ? ' AND ' : ' OR ');
    case 'not':
      return `NOT ${node.of.kind === 'near' ? `(${nearOf(node.of)})` : inside(node.of, within)}`;
    case 'near':
      return nearOf(node);
    case 'text':
    case 'value':
    case 'empty':
    case 'range':
      return printTerm(node, within);
  }
}

/** A query in the one spelling that says how it is read; it parses back to the same tree. */
export function printQuery(query: Query): string {
  return print(query, null);
}
