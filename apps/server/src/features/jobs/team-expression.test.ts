import { isAppError } from '@holdfast/foundation/errors';
import { expect, test } from 'vitest';
import { nameMatcher } from './team-expression.ts';

const refusal = (expression: string): unknown => {
  try {
    return nameMatcher(expression, 'source.teamExpression');
  } catch (error) {
    return isAppError(error, 'discovery.expression-invalid') ? error.details : error;
  }
};

test('an expression is looked for anywhere in a name, whatever the case, and may bind itself to the ends', () => {
  expect(['Sales EU', 'pre-SALES', 'Marketing'].filter(nameMatcher('sales', 'x'))).toEqual(['Sales EU', 'pre-SALES']);
  expect(['Sales EU', 'pre-SALES', 'sales'].filter(nameMatcher('^sales( (EU|US))?$', 'x'))).toEqual(['Sales EU', 'sales']);
  expect(['Käufer', 'KÄUFER', 'Kaufer'].filter(nameMatcher('^kä\\p{L}+$', 'x'))).toEqual(['Käufer', 'KÄUFER']);
});

test('what is no expression is refused by its field', () => {
  for (const text of ['(', '[a', 'a**', '\\', 'a{2,1}', '(?=a)', '(a)\\1', '*'])
    expect(refusal(text), text).toEqual({ field: 'source.teamExpression' });
});

test('what would take long for each name is refused, the longest plain text is not', () => {
  for (const text of ['.{0,999}', '(.{0,30}){0,30}', '\\pL{0,999}', '((a{100}){100}){100}']) {
    expect(refusal(text), text.slice(0, 20)).toMatchObject({ field: 'source.teamExpression' });
  }
  expect(refusal('.{0,999}')).toEqual({ field: 'source.teamExpression', rule: 'expressionTooLarge' });
  expect(nameMatcher('a'.repeat(500), 'x')('a'.repeat(500))).toBe(true);
  // By backtracking this would not end.
  expect(nameMatcher('^(a+)+$', 'x')(`${'a'.repeat(255)}b`)).toBe(false);
});
